package dev.leasehold.examples.demo;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** One of the showcase's processes: takes locks of every kind, one thread for each. */
public final class ShowcaseWorker {
  private static final int PERMITS = 5;
  private static final int LONGEST_MILLIS = 3_000;

  private ShowcaseWorker() {}

  /** Arguments: the server's URI, the process's label. Runs until it is killed. */
  public static void main(String[] args) {
    LockManager locks =
        LockManager.open(
            LockSettings.of(
                Map.of(
                    "lock.backend",
                    "redis-set",
                    "lock.redis.uri",
                    args[0],
                    "lock.label",
                    args[1])));
    LockOptions kept = LockOptions.builder().atLeast(Duration.ofSeconds(10)).build();
    repeat(() -> locks.lock("orders").acquire());
    repeat(() -> locks.lock("stock").acquire());
    repeat(() -> locks.lock("nightly-report", kept).acquire());
    repeat(() -> locks.readWriteLock("prices").read().acquire());
    repeat(() -> locks.readWriteLock("prices").write().acquire());
    repeat(() -> locks.semaphore("exports", PERMITS).acquire(random(PERMITS - 1)));
  }

  /** Without an end: works under the lock, and then elsewhere. */
  private static void repeat(Callable<Lease> acquire) {
    new Thread(
            () -> {
              try {
                while (true) {
                  try (Lease lease = acquire.call()) {
                    work(lease);
                  }
                  TimeUnit.MILLISECONDS.sleep(random(LONGEST_MILLIS));
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            })
        .start();
  }

  private static void work(Lease lease) throws InterruptedException {
    if (lease.isValid()) {
      TimeUnit.MILLISECONDS.sleep(random(LONGEST_MILLIS));
    }
  }

  private static int random(int most) {
    return ThreadLocalRandom.current().nextInt(1, most + 1);
  }
}
