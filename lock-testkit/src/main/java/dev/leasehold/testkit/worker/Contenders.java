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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Threads that take a lock again and again for a time, and write down when they had it. */
public final class Contenders {
  private static final long LONGEST_SECTION_NANOS = 200_000;

  private Contenders() {}

  /**
   * Runs them. Blocks for the duration, and for as long as the last section takes.
   *
   * @param threads of each manager
   */
  public static History run(
      List<LockManager> managers, String name, LockOptions options, int threads, Duration duration)
      throws InterruptedException, ExecutionException {
    HistoryRecorder recorder = new HistoryRecorder(Long.toString(ProcessHandle.current().pid()));
    ExecutorService pool = Executors.newFixedThreadPool(managers.size() * threads);
    try {
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < managers.size() * threads; i++) {
        DistributedLock lock = managers.get(i % managers.size()).lock(name, options);
        OwnerLog log = recorder.owner("thread-" + i, name);
        work.add(
            () -> {
              contend(lock, log, duration);
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

  private static void contend(DistributedLock lock, OwnerLog log, Duration duration)
      throws InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < duration.toNanos()) {
      log.invoke(Kind.ACQUIRE);
      Lease lease = lock.acquire();
      log.ok(Kind.ACQUIRE, lease);
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_SECTION_NANOS));
      log.releasing(lease);
      try {
        lease.release();
        log.ok(Kind.RELEASE);
      } catch (LeaseLostException slow) {
        log.fail(Kind.RELEASE); // the machine stood still for a whole lease
      } catch (LockStoreException unheard) {
        log.unknown(Kind.RELEASE);
      }
    }
  }
}
