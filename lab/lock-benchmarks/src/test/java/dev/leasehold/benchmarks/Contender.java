package dev.leasehold.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process of {@link Processes}: four threads that take turns with one lock. */
public final class Contender {
  static final String READY = "ready";
  private static final int THREADS = 4;

  private Contender() {}

  private record Turns(long count, long longestWait) {}

  /** Arguments: the subject's name, the server's URI, the duration (ISO-8601). */
  public static void main(String[] args) throws Exception {
    Duration length = Duration.parse(args[2]);
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try (Subject subject = LockSubjects.of(args[0], args[1])) {
      subject.on("warm-up").run();
      System.out.println(READY);
      System.in.read(); // the parent starts all at once
      List<Future<Turns>> threads = new ArrayList<>();
      long end = System.nanoTime() + length.toNanos();
      for (int i = 0; i < THREADS; i++) {
        threads.add(pool.submit(() -> turns(subject.on("processes"), end)));
      }
      long count = 0;
      long longest = 0;
      for (Future<Turns> thread : threads) {
        count += thread.get().count();
        longest = Math.max(longest, thread.get().longestWait());
      }
      System.out.println(count + " " + longest);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Turns turns(Subject.Pair pair, long end) throws Exception {
    long count = 0;
    long longest = 0;
    for (long begun = System.nanoTime(); begun - end < 0; ) {
      pair.run();
      long now = System.nanoTime();
      longest = Math.max(longest, now - begun);
      begun = now;
      count++;
    }
    return new Turns(count, longest);
  }
}
