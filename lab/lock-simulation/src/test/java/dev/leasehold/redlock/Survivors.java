package dev.leasehold.redlock;

import dev.leasehold.simulation.Shipped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Mutations of scripts that no story can find, with reasons: {@code script-survivors.txt}. */
final class Survivors {
  private Survivors() {}

  /** The survivors by reason. */
  static Map<String, List<String>> byReason() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (String group : Shipped.text(Survivors.class, "script-survivors.txt").split("\n\n")) {
      List<String> lines = group.strip().lines().toList();
      all.put(lines.get(0).substring("# ".length()), lines.subList(1, lines.size()));
    }
    return all;
  }

  /** All survivors. */
  static Set<String> all() {
    return byReason().values().stream().flatMap(List::stream).collect(Collectors.toSet());
  }
}
