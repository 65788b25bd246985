package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** Callbacks that are stuck until the end of the test, and what has to go on beside them. */
abstract class StuckCallbacks {
  /** Long enough for a machine that does much else; it is renewed at a third of it. */
  private static final Duration LEASE = Duration.ofSeconds(3);

  static final Duration BRIEF = Duration.ofMillis(200);

  /** What waits for a callback that is stuck waits until the end of the test. */
  static final Duration SLACK = Duration.ofSeconds(10);

  final MapStore store = new MapStore(Ticker.system());
  final List<AutoCloseable> open = new ArrayList<>();
  final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    end.countDown();
    for (AutoCloseable part : open) {
      part.close();
    }
  }

  final LockManager manager(UnaryOperator<LockManager.Builder> settings) {
    LockManager manager =
        settings.apply(LockManager.over(store).closeGrace(Duration.ofMillis(50))).build();
    open.add(manager);
    return manager;
  }

  static LockOptions automatic() {
    return LockOptions.builder().automaticLease(LEASE).build();
  }

  final void block() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** While callbacks are stuck, leases are renewed, losses signalled and time-outs kept. */
  final void checkUnharmed(LockManager locks, Lease kept) throws Exception {
    long begun = System.nanoTime();
    Lease brief = locks.lock("brief", LockOptions.fixed(BRIEF)).acquire();
    long[] toldAt = new long[1];
    brief
        .lost()
        .thenRun(() -> toldAt[0] = System.nanoTime())
        .toCompletableFuture()
        .get(20, SECONDS);
    Duration late = Duration.ofNanos(toldAt[0] - begun).minus(BRIEF);
    assertTrue(late.compareTo(SLACK) < 0, () -> "the signal came " + late + " late");

    begun = System.nanoTime();
    assertTrue(locks.lock("kept").as(LockOwner.unique("x")).tryAcquire(BRIEF).isEmpty());
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(took.compareTo(BRIEF.plus(SLACK)) < 0, () -> "an attempt took " + took);

    begun = System.nanoTime();
    Optional<Lease> none =
        locks.lock("kept").tryAcquireAsync(BRIEF).toCompletableFuture().get(20, SECONDS);
    assertTrue(none.isEmpty());
    Duration tookAsync = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(tookAsync.compareTo(BRIEF.plus(SLACK)) < 0, () -> "an attempt took " + tookAsync);

    // Renewed twice: once may have been before there was anything to be stuck in.
    for (int i = 0; i < 2; i++) {
      assertTrue(store.isRenewed("kept"), "a lease is renewed beside callbacks that are stuck");
    }
    assertTrue(kept.isValid());
    assertFalse(kept.lost().toCompletableFuture().isDone());
    kept.release();
  }
}
