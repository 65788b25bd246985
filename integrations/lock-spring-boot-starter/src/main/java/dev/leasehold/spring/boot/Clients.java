package dev.leasehold.spring.boot;

import java.util.List;

/**
 * The application's clients of one kind.
 *
 * @param usable backends on them
 * @param unusable a sentence for each client that cannot be used, with the remedy
 */
record Clients(List<ClientBackend> usable, List<String> unusable) {

  static Clients none() {
    return new Clients(List.of(), List.of());
  }

  static Clients on(ClientBackend backend) {
    return new Clients(List.of(backend), List.of());
  }

  static Clients unusable(String sentence) {
    return new Clients(List.of(), List.of(sentence));
  }
}
