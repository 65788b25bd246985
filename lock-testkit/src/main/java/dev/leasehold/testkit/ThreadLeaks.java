package dev.leasehold.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Detects threads that a rule left running. */
final class ThreadLeaks {
  private static final int ROOM = 64;

  private ThreadLeaks() {}

  /**
   * Closes the rule's resources, then waits until no thread has the managers' label in its name.
   */
  static void check(String label, Runnable close) {
    close.run();
    try {
      Await.until("threads end", TimeScale.seconds(10), () -> threads(label).findAny().isEmpty());
    } catch (AssertionError stillThere) {
      List<String> names = threads(label).map(Thread::getName).toList();
      String where = threads(label).map(ThreadLeaks::where).collect(Collectors.joining());
      throw new AssertionError("threads run on after the close: " + names + where, stillThere);
    }
  }

  private static Stream<Thread> threads(String label) {
    return live().filter(thread -> thread.getName().contains(label));
  }

  /**
   * Returns the live threads, from their groups: a dump of all stacks would stop all other cases
   * each time.
   */
  private static Stream<Thread> live() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    for (ThreadGroup parent = root; parent != null; parent = parent.getParent()) {
      root = parent;
    }
    Thread[] found = new Thread[root.activeCount() + ROOM];
    int count = root.enumerate(found);
    while (count == found.length) { // as many as there is room for: there may be more
      found = new Thread[2 * found.length];
      count = root.enumerate(found);
    }
    return Arrays.stream(found, 0, count);
  }

  private static String where(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .map(frame -> "\n    at " + frame)
        .collect(Collectors.joining("", "\n  " + thread.getName(), ""));
  }
}
