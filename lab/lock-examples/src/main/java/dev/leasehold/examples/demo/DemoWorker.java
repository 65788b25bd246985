package dev.leasehold.examples.demo;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * One of the demo's processes: increments the counter, and records each increment in its own file.
 * Its parent may kill it when it reports that it holds the lock.
 */
public final class DemoWorker {
  static final String READY = "ready";
  static final String HOLDING = "holding";
  static final int ROUNDS = 1000;
  static final int ROUND_OF_DEATH = 100;
  static final Duration LEASE = Duration.ofSeconds(2);

  private DemoWorker() {}

  /** Arguments: the server's URI, LOCKED or UNLOCKED, the counter's file, this process's file. */
  public static void main(String[] args) throws Exception {
    try (Counter shared = new Counter(Path.of(args[2]));
        Counter own = new Counter(Path.of(args[3]))) {
      Runnable step =
          () -> {
            shared.addOne();
            own.addOne();
          };
      if (args[1].equals(DemoContention.Mode.UNLOCKED.name())) {
        start();
        for (int i = 0; i < ROUNDS; i++) {
          step.run();
        }
      } else {
        countLocked(args[0], step);
      }
    }
  }

  private static void countLocked(String uri, Runnable step) throws Exception {
    LockOptions options = LockOptions.builder().automaticLease(LEASE).build();
    try (LockManager locks = LockManager.open(settings(uri))) {
      DistributedLock lock = locks.lock("demo", options);
      start();
      for (int i = 1; i <= ROUNDS; i++) {
        try (Lease lease = lock.acquire()) {
          if (i == ROUND_OF_DEATH) {
            sayHolding(lease);
          }
          step.run();
        }
      }
    }
  }

  /** Several backends are on the path, so one is named. */
  private static LockSettings settings(String uri) {
    return LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", uri));
  }

  private static void start() throws Exception {
    System.out.println(READY);
    System.in.read(); // the parent starts all at once
  }

  /** Reports to the parent, which kills one process here and lets the others continue. */
  private static void sayHolding(Lease lease) throws Exception {
    System.out.println(HOLDING + " " + lease.fencingToken());
    System.in.read();
  }
}
