package dev.leasehold.examples.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Cycles in a graph of uses: groups of which each member reaches all the others. */
final class Cycles {
  private Cycles() {}

  /** The uses among these classes; a nested class counts as the one that it is in. */
  static Map<String, Set<String>> uses(Collection<JavaClass> classes) {
    Set<String> own = new TreeSet<>();
    classes.forEach(item -> own.add(outermost(item)));
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass item : classes) {
      Set<String> used = uses.computeIfAbsent(outermost(item), name -> new TreeSet<>());
      item.getDirectDependenciesFromSelf()
          .forEach(use -> used.add(outermost(use.getTargetClass().getBaseComponentType())));
      used.retainAll(own);
      used.remove(outermost(item));
    }
    return uses;
  }

  private static String outermost(JavaClass item) {
    return item.getName().replaceFirst("\\$.*", "");
  }

  /** All groups of more than one. */
  static List<Set<String>> in(Map<String, Set<String>> uses) {
    Map<String, Set<String>> reached = new HashMap<>();
    uses.keySet().forEach(one -> reached.put(one, reachedFrom(one, uses)));
    List<Set<String>> groups = new ArrayList<>();
    Set<String> grouped = new TreeSet<>();
    for (String one : uses.keySet()) {
      Set<String> group = new TreeSet<>(reached.get(one));
      group.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(one));
      if (group.size() > 1 && grouped.addAll(group)) {
        groups.add(group);
      }
    }
    return groups;
  }

  private static Set<String> reachedFrom(String one, Map<String, Set<String>> uses) {
    Set<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(one));
    while (!next.isEmpty()) {
      for (String used : uses.getOrDefault(next.remove(), Set.of())) {
        if (reached.add(used)) {
          next.add(used);
        }
      }
    }
    return reached;
  }
}
