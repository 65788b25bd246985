package dev.leasehold.testkit.proxy;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The number of commands that clients have sent through a proxy.
 *
 * @param byName the number per name, in upper case; names never sent are absent
 */
public record CommandCounts(Map<String, Long> byName) {
  static final Set<String> HOUSEKEEPING =
      Set.of(
          "AUTH",
          "CLIENT",
          "CLUSTER",
          "COMMAND",
          "ECHO",
          "HELLO",
          "INFO",
          "PING",
          "QUIT",
          "READONLY",
          "READWRITE",
          "RESET",
          "ROLE",
          "SELECT");

  /** Copies and sorts the numbers. */
  public CommandCounts {
    byName = Collections.unmodifiableMap(new TreeMap<>(byName));
  }

  /** The total. */
  public long total() {
    return byName.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The number for one name; case does not matter. */
  public long of(String name) {
    return byName.getOrDefault(name.toUpperCase(Locale.ROOT), 0L);
  }

  /** The difference to an earlier count. */
  public CommandCounts minus(CommandCounts earlier) {
    Map<String, Long> difference = new TreeMap<>();
    byName.forEach(
        (name, count) -> {
          long more = count - earlier.of(name);
          if (more != 0) {
            difference.put(name, more);
          }
        });
    return new CommandCounts(difference);
  }

  /** The counts without the given names; case does not matter. */
  public CommandCounts without(String... names) {
    Map<String, Long> rest = new TreeMap<>(byName);
    for (String name : names) {
      rest.remove(name.toUpperCase(Locale.ROOT));
    }
    return new CommandCounts(rest);
  }

  /**
   * The counts without a client's own housekeeping: {@code PING}, {@code HELLO}, {@code AUTH},
   * {@code CLIENT}, {@code SELECT}, {@code INFO}, {@code CLUSTER} and the like.
   */
  public CommandCounts withoutHousekeeping() {
    return without(HOUSEKEEPING.toArray(String[]::new));
  }
}
