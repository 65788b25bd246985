package dev.leasehold.redlock.model;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Looks at every state that the rules allow, nearest first, until none is left or something is
 * broken: then the way there is a shortest one.
 */
final class Search {
  private static final double NANOS_PER_SECOND = 1e9;
  private final Rules rules;
  private final Codec codec;
  private final Visited visited = new Visited(Codec.LONGS);
  private int current;
  private State state;
  private long[] key;
  private boolean broken;

  Search(Rules rules) {
    this.rules = rules;
    this.codec = new Codec(rules);
  }

  /**
   * What was found.
   *
   * @param states how many there are
   * @param depth how many steps the farthest is away
   * @param schedule what broke it; empty if nothing: then these were all states
   */
  record Found(int states, int depth, Duration time, List<String> schedule) {
    boolean isSafe() {
      return schedule.isEmpty();
    }

    /** What was broken. */
    String broken() {
      String last = schedule.get(schedule.size() - 1);
      return last.substring(last.indexOf("-> ") + 3);
    }

    @Override
    public String toString() {
      return String.format(
          "%,d states, %d steps deep, %.1f s: %s",
          states,
          depth,
          time.toNanos() / NANOS_PER_SECOND,
          isSafe() ? "all of them, and nothing broken" : broken());
    }
  }

  Found run() {
    long start = System.nanoTime();
    visited.add(codec.pack(State.first(rules)), -1);
    Protocol protocol = new Protocol(rules, this::reached);
    int depth = 0;
    int endOfLayer = 1;
    for (current = 0; current < visited.size() && !broken; current++) {
      if (current == endOfLayer) {
        depth++;
        endOfLayer = visited.size();
      }
      key = visited.get(current);
      state = codec.unpack(key);
      protocol.stepsFrom(state);
    }
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    return new Found(visited.size(), depth, time, broken ? schedule(current - 1) : List.of());
  }

  private void reached(Step step) {
    broken |= !step.broken().isEmpty();
    visited.add(codec.pack(step.next(), state, key), current);
  }

  /** Steps again along the way to a state, and one further, where it broke. */
  private List<String> schedule(int last) {
    Deque<long[]> way = new ArrayDeque<>();
    for (int index = last; index > 0; index = visited.parent(index)) {
      way.addFirst(visited.get(index));
    }
    List<String> steps = new ArrayList<>();
    State at = State.first(rules);
    for (long[] next : way) {
      List<Step> all = new ArrayList<>();
      new Protocol(rules, all::add).stepsFrom(at);
      Step taken =
          all.stream()
              .filter(s -> Arrays.equals(codec.pack(s.next()), next))
              .findFirst()
              .orElseThrow();
      steps.add(taken.toString());
      at = codec.tidy(taken.next());
    }
    new Protocol(rules, step -> addBroken(steps, step)).stepsFrom(at);
    return steps;
  }

  private static void addBroken(List<String> steps, Step step) {
    if (!step.broken().isEmpty()
        && (steps.isEmpty() || !steps.get(steps.size() - 1).contains("-> "))) {
      steps.add(step.toString());
    }
  }
}
