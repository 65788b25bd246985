package dev.leasehold.redis.setnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;

/** Kinds beside the plain lock, by two managers: a waiter is woken, and does not ask before. */
final class KindsWork {
  private static final LockOptions PATIENT =
      LockOptions.builder().waitStrategy(WaitStrategy.every(Duration.ofMinutes(1))).build();

  private final ToLongFunction<String> waiting;

  private KindsWork(ToLongFunction<String> waiting) {
    this.waiting = waiting;
  }

  /**
   * For each name, on the servers that these settings name.
   *
   * @param waiting how many stand in the line of a key
   */
  static void on(Map<String, String> servers, List<String> names, ToLongFunction<String> waiting)
      throws Exception {
    Map<String, String> settings = new HashMap<>(servers);
    settings.put("lock.backend", "redis-setnx");
    KindsWork kinds = new KindsWork(waiting);
    try (LockManager one = LockManager.open(LockSettings.of(settings));
        LockManager two = LockManager.open(LockSettings.of(settings))) {
      for (String name : names) {
        kinds.sides(one.readWriteLock(name, PATIENT), two.readWriteLock(name, PATIENT));
        kinds.permits(one.semaphore(name, 2, PATIENT), two.semaphore(name, 2, PATIENT));
        kinds.latches(one, two, name);
      }
    }
  }

  private void sides(DistributedReadWriteLock one, DistributedReadWriteLock two) throws Exception {
    String line = "lh:{" + one.name() + "}:rw:wait";
    Lease written = one.write().acquire();
    Lease read = passes(written, line, two.read().acquireAsync());
    assertTrue(read.fencingToken() > written.fencingToken());
    one.read().tryAcquire().orElseThrow().release();
    assertEquals(Optional.empty(), one.write().tryAcquire());
    passes(read, line, one.write().acquireAsync()).release();
  }

  private void permits(DistributedSemaphore one, DistributedSemaphore two) throws Exception {
    Lease both = one.acquire(2);
    assertEquals(Optional.empty(), two.tryAcquire());
    passes(both, "lh:{" + one.name() + "}:permits:wait", two.acquireAsync(1)).release();
    assertEquals(2, two.available());
  }

  private Lease passes(Lease held, String line, CompletionStage<Lease> wanted) {
    Await.until("it is in line", () -> waiting.applyAsLong(line) == 1);
    held.release();
    return Await.value(wanted.toCompletableFuture());
  }

  private void latches(LockManager one, LockManager two, String name) {
    assertTrue(one.latch(name).open(1, Duration.ofMinutes(1)));
    CompletableFuture<Void> passed = two.latch(name).awaitAsync().toCompletableFuture();
    String line = "lh:{" + name + "}:latch:wait";
    Await.until("it waits", () -> waiting.applyAsLong(line) == 1);
    assertTrue(one.latch(name).countDown());
    Await.value(passed);
  }
}
