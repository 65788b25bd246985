package dev.leasehold.testkit;

import java.util.List;

/** Looks for what a rule left running. */
final class ThreadLeaks {
  private ThreadLeaks() {}

  /** Closes, and then waits until no thread is left whose name has the managers' label in it. */
  static void check(String label, Runnable close) {
    close.run();
    try {
      Await.until("threads end", TimeScale.seconds(3), () -> threads(label).isEmpty());
    } catch (AssertionError stillThere) {
      throw new AssertionError("threads run on after the close: " + threads(label), stillThere);
    }
  }

  private static List<String> threads(String label) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains(label))
        .toList();
  }
}
