package dev.leasehold.spring.boot;

import java.util.List;

/**
 * What clients of a kind the application has.
 *
 * @param usable backends on them
 * @param unusable what to do about those that can't be used, a sentence each
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
