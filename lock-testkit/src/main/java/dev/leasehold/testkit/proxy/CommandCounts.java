package dev.leasehold.testkit.proxy;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How many commands clients have sent through a proxy.
 *
 * @param byName the number for each name, in upper case; names that were not sent are not in it
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

  /** All together. */
  public long total() {
    return byName.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The number for one name; case does not matter. */
  public long of(String name) {
    return byName.getOrDefault(name.toUpperCase(Locale.ROOT), 0L);
  }

  /** What came after an earlier count. */
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

  /** These without some names; case does not matter. */
  public CommandCounts without(String... names) {
    Map<String, Long> rest = new TreeMap<>(byName);
    for (String name : names) {
      rest.remove(name.toUpperCase(Locale.ROOT));
    }
    return new CommandCounts(rest);
  }

  /**
   * These without what a client sends on its own account: {@code PING}, {@code HELLO}, {@code
   * AUTH}, {@code CLIENT}, {@code SELECT}, {@code INFO}, {@code CLUSTER} and the like.
   */
  public CommandCounts withoutHousekeeping() {
    return without(HOUSEKEEPING.toArray(String[]::new));
  }
}
