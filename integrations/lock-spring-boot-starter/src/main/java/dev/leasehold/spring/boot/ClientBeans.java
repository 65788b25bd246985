package dev.leasehold.spring.boot;

import java.util.List;

/**
 * The application's clients of one kind.
 *
 * @param usable backends on them
 * @param unusable a sentence for each client that cannot be used, with the remedy
 */
record ClientBeans(List<ClientBackend> usable, List<String> unusable) {

  static ClientBeans none() {
    return new ClientBeans(List.of(), List.of());
  }

  static ClientBeans on(ClientBackend backend) {
    return new ClientBeans(List.of(backend), List.of());
  }

  static ClientBeans unusable(String sentence) {
    return new ClientBeans(List.of(), List.of(sentence));
  }
}
