package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A graph with an edge from each waiter to each holder of the lock it waits for. The nodes are the
 * labels of their managers, usually one per process.
 *
 * <p>A cycle is a deadlock if in each of its processes the waiting thread is the one that holds the
 * lock. The servers do not know threads, so a cycle may be harmless: another thread of the process
 * may be about to release. A permit can be returned by any of its holders. Deadlocks with fixed
 * leases end by themselves; those with renewed leases do not.
 *
 * <p>It is not a snapshot: the locks are read one after another. A cycle that is found twice, some
 * seconds apart, is real.
 *
 * @param waits in the order in which the locks were found, and in queue order for each
 * @param cycles labels that wait for each other, directly or through others; a single label waits
 *     for itself. In the order of their first wait
 * @param omissions what could not be read
 */
public record WaitGraph(List<Wait> waits, List<List<String>> cycles, List<Omission> omissions) {
  /** The most waits that are fetched. */
  public static final int MOST = 10_000;

  /** Copies the lists. */
  public WaitGraph {
    waits = List.copyOf(waits);
    cycles = cycles.stream().map(List::copyOf).toList();
    omissions = List.copyOf(omissions);
  }

  static WaitGraph of(List<Wait> waits, List<Omission> omissions) {
    return new WaitGraph(waits, cycles(waits), omissions);
  }

  /** Returns the number of the cycle that a wait belongs to, from 1; 0 if none. */
  public int cycle(Wait wait) {
    for (int i = 0; i < cycles.size(); i++) {
      List<String> cycle = cycles.get(i);
      if (cycle.contains(wait.waiter().holder())
          && wait.holders().stream().anyMatch(cycle::contains)) {
        return i + 1;
      }
    }
    return 0;
  }

  private static List<List<String>> cycles(List<Wait> waits) {
    Map<String, Set<String>> edges = new LinkedHashMap<>();
    for (Wait wait : waits) {
      edges
          .computeIfAbsent(wait.waiter().holder(), label -> new LinkedHashSet<>())
          .addAll(wait.holders());
    }
    Map<String, Set<String>> reached = new LinkedHashMap<>();
    edges.keySet().forEach(label -> reached.put(label, reachable(label, edges)));
    List<List<String>> cycles = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    reached.forEach(
        (label, others) -> {
          if (others.contains(label) && seen.add(label)) {
            List<String> cycle = new ArrayList<>(List.of(label));
            for (String other : others) {
              if (reached.getOrDefault(other, Set.of()).contains(label) && seen.add(other)) {
                cycle.add(other);
              }
            }
            cycles.add(cycle);
          }
        });
    return cycles;
  }

  /** Returns all labels that a label waits for, directly or through others. */
  private static Set<String> reachable(String from, Map<String, Set<String>> edges) {
    Set<String> reached = new LinkedHashSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      for (String label : edges.getOrDefault(next.remove(), Set.of())) {
        if (reached.add(label)) {
          next.add(label);
        }
      }
    }
    return reached;
  }

  @Override
  public String toString() {
    return Quoted.record("WaitGraph", "waits", waits, "cycles", cycles, "omissions", omissions);
  }
}
