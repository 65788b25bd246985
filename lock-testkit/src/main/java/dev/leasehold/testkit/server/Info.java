package dev.leasehold.testkit.server;

import java.util.Optional;

/** Reads lines of the form {@code field:value}, as INFO and CLUSTER INFO reply. */
final class Info {
  private Info() {}

  static Optional<String> field(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }
}
