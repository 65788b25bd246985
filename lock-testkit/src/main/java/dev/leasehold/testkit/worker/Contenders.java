package dev.leasehold.testkit.worker;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.OwnerLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Threads that take a lock repeatedly for a given time, and record when they held it. */
public final class Contenders {
  private static final long LONGEST_SECTION_NANOS = 200_000;
  private static final long LONGEST_PAUSE_NANOS = 20_000_000;

  /** The minimum per thread, however long the machine stalls. */
  private static final int FEWEST_SECTIONS = 5;

  private Contenders() {}

  /**
   * Runs the threads. Blocks until each has had the lock once, then for the duration, and until
   * each has had it five more times.
   *
   * @param threads of each manager
   */
  public static History run(
      List<LockManager> managers, String name, LockOptions options, int threads, Duration duration)
      throws InterruptedException, ExecutionException {
    return run(managers, name, options, threads, duration, Optional.empty());
  }

  /**
   * Runs the threads while other processes contend. Blocks at least for the duration, and until
   * each process has had the lock while the others contended.
   *
   * @param threads of each manager
   */
  public static History run(
      List<LockManager> managers,
      String name,
      LockOptions options,
      int threads,
      Duration duration,
      Meeting meeting)
      throws InterruptedException, ExecutionException {
    return run(managers, name, options, threads, duration, Optional.of(meeting));
  }

  static History run(
      List<LockManager> managers,
      String name,
      LockOptions options,
      int threads,
      Duration duration,
      Optional<Meeting> meeting)
      throws InterruptedException, ExecutionException {
    HistoryRecorder recorder = new HistoryRecorder(Long.toString(ProcessHandle.current().pid()));
    ExecutorService pool = Executors.newFixedThreadPool(managers.size() * threads);
    // A thread that starts first could otherwise finish before the others begin.
    CountDownLatch begun = new CountDownLatch(managers.size() * threads);
    try {
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < managers.size() * threads; i++) {
        DistributedLock lock = managers.get(i % managers.size()).lock(name, options);
        OwnerLog log = recorder.owner("thread-" + i, name);
        work.add(
            () -> {
              contend(lock, log, begun, duration, meeting);
              return null;
            });
      }
      for (Future<Void> part : pool.invokeAll(work)) {
        part.get();
      }
      return recorder.history();
    } finally {
      pool.shutdownNow();
    }
  }

  private static void contend(
      DistributedLock lock,
      OwnerLog log,
      CountDownLatch begun,
      Duration duration,
      Optional<Meeting> meeting)
      throws InterruptedException {
    try {
      section(lock, log);
    } finally {
      begun.countDown();
    }
    begun.await();
    meeting.ifPresent(Meeting::arrive);
    long start = System.nanoTime();
    for (int i = 0; i < FEWEST_SECTIONS || System.nanoTime() - start < duration.toNanos(); i++) {
      section(lock, log);
    }
    if (meeting.isEmpty()) {
      return;
    }
    long patience = meeting.get().patience().toNanos();
    while (!meeting.get().isComplete() && System.nanoTime() - start < patience) {
      // Leaves the lock free for a moment: a store whose waiters poll might otherwise always grant
      // it to one process.
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
      section(lock, log);
    }
    section(lock, log); // after the first hold of each process
  }

  private static void section(DistributedLock lock, OwnerLog log) throws InterruptedException {
    log.invoke(Kind.ACQUIRE);
    Lease lease = lock.acquire();
    log.ok(Kind.ACQUIRE, lease);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_SECTION_NANOS));
    log.releasing(lease);
    try {
      lease.release();
      log.ok(Kind.RELEASE);
    } catch (LeaseLostException slow) {
      log.fail(Kind.RELEASE); // the machine stalled for a whole lease
    } catch (LockStoreException unheard) {
      log.unknown(Kind.RELEASE);
    }
  }
}
