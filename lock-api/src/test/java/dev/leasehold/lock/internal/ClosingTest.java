package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.threads.Timers;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing beside calls that are under way. */
@Timeout(60)
class ClosingTest {
  private final MapStore map = new MapStore(Ticker.system());

  private static <T> CompletableFuture<T> onThread(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(work.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  private static CompletableFuture<Void> closing(LockManager locks) {
    return onThread(
        () -> {
          locks.close();
          return null;
        });
  }

  private static void checkClosed(CompletableFuture<?> outcome) {
    Throwable failure =
        assertThrows(ExecutionException.class, () -> outcome.get(20, SECONDS)).getCause();
    assertInstanceOf(LockManagerClosedException.class, failure);
  }

  @Test
  @DisplayName(
      "Whatever is asking the store when the manager closes fails, and gives the grant back")
  void attemptsUnderWay() throws Exception {
    GatedStore store = new GatedStore(map);
    LockManager locks = LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
    store.hold(GatedStore.Op.ACQUIRE);
    List<CompletableFuture<?>> all =
        List.of(
            onThread(() -> locks.lock("a").tryAcquire()),
            onThread(() -> locks.lock("b").acquire()),
            onThread(() -> locks.lock("c").tryAcquire(Duration.ofSeconds(30))),
            locks.lock("d").acquireAsync().toCompletableFuture(),
            locks.lock("e").tryAcquireAsync(Duration.ZERO).toCompletableFuture());
    Spin.until(() -> map.calls() >= all.size());
    CompletableFuture<Void> closed = closing(locks);
    for (CompletableFuture<?> one : all) {
      checkClosed(one); // before the store has answered
    }
    store.open();
    closed.get(20, SECONDS);
    assertTrue(map.isEmpty(), "the grants went back");
  }

  @Test
  @DisplayName("A store that hangs for ever keeps no caller, and close not for long")
  void hungStore() throws Exception {
    GatedStore store = new GatedStore(map);
    LockManager locks =
        LockManager.over(store)
            .closeGrace(Duration.ofMillis(50))
            .commandTimeout(Duration.ofMillis(300))
            .build();
    Lease held = locks.lock("held").acquire();
    store.hold(GatedStore.Op.RELEASE);
    CompletableFuture<Void> releasing = held.releaseAsync().toCompletableFuture();
    CompletableFuture<Void> closed = closing(locks);
    closed.get(20, SECONDS);
    assertThrows(ExecutionException.class, () -> releasing.get(20, SECONDS));
    store.open();
  }

  @Test
  @DisplayName("Pending requests complete, also if the closing thread is interrupted")
  void releasesBeforeAnInterruptedClose() throws Exception {
    GatedStore store = new GatedStore(map);
    LockManager locks = LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < 200; i++) { // more than there are threads for calls that block
      held.add(locks.lock("n" + i).acquire());
    }
    store.hold(GatedStore.Op.RELEASE);
    List<CompletableFuture<Void>> releases =
        held.stream().map(lease -> lease.releaseAsync().toCompletableFuture()).toList();
    AtomicBoolean kept = new AtomicBoolean();
    Thread closing =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              locks.close();
              kept.set(Thread.interrupted());
            });
    closing.start();
    Spin.until(() -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
    store.open();
    for (CompletableFuture<Void> release : releases) {
      release.get(20, SECONDS);
    }
    closing.join();
    assertTrue(kept.get(), "the interrupt is kept");
    assertTrue(map.isEmpty());
  }

  @RepeatedTest(30)
  @DisplayName("After a close no lease looks valid, and nothing is left behind")
  void stress() throws Exception {
    GatedStore store = new GatedStore(map);
    LockManager locks = LockManager.over(store).closeGrace(Duration.ofSeconds(10)).build();
    AtomicBoolean begun = new AtomicBoolean();
    AtomicInteger late = new AtomicInteger();
    CountDownLatch running = new CountDownLatch(6);
    List<CompletableFuture<Integer>> all = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      int kind = t;
      all.add(
          onThread(
              () -> {
                for (int i = 0; ; i++) {
                  boolean after = begun.get();
                  Optional<Lease> lease;
                  try {
                    lease = acquire(locks, kind, "n" + i % 3);
                  } catch (LockManagerClosedException end) {
                    return i;
                  } finally {
                    running.countDown();
                  }
                  if (after && lease.isPresent()) {
                    late.incrementAndGet();
                  }
                  lease.ifPresent(ClosingTest::release);
                }
              }));
    }
    running.await();
    CompletableFuture<Void> closed =
        onThread(
            () -> {
              Thread closer =
                  new Thread(
                      () -> {
                        locks.close();
                      });
              closer.start();
              Spin.until(() -> !isOpen(locks));
              begun.set(true);
              closer.join();
              return null;
            });
    for (CompletableFuture<Integer> one : all) {
      one.get(20, SECONDS);
    }
    closed.get(20, SECONDS);
    assertTrue(late.get() == 0, () -> late + " acquisitions after the close had begun");
    assertTrue(map.isEmpty(), "nothing is left on the store");
  }

  private static boolean isOpen(LockManager locks) {
    try {
      locks.lock("any");
      return true;
    } catch (LockManagerClosedException closed) {
      return false;
    }
  }

  private static Optional<Lease> acquire(LockManager locks, int kind, String name)
      throws Exception {
    switch (kind % 3) {
      case 0:
        return locks.lock(name).tryAcquire();
      case 1:
        return Optional.of(locks.lock(name).acquire());
      default:
        try {
          return Optional.of(locks.lock(name).acquireAsync().toCompletableFuture().get());
        } catch (ExecutionException e) {
          if (e.getCause() instanceof LockManagerClosedException closed) {
            throw closed;
          }
          throw e;
        }
    }
  }

  private static void release(Lease lease) {
    try {
      lease.release();
    } catch (LeaseLostException closed) {
      // Notified, and given back.
    }
    assertFalse(lease.isValid());
  }

  @Test
  @DisplayName("A timer that is gone runs nothing, least of all at once")
  void noTimersAfterTheEnd() {
    Timers timers = new Timers(Thread::new);
    timers.close();
    AtomicInteger ran = new AtomicInteger();
    timers.schedule(Duration.ZERO, ran::incrementAndGet);
    assertTrue(ran.get() == 0);
  }

  @Test
  @DisplayName("A hold's renewal and its options play no part")
  void holdersHaveTheirTime() throws Exception {
    GatedStore store = new GatedStore(map);
    LockManager locks = LockManager.over(store).closeGrace(Duration.ofSeconds(20)).build();
    Lease lease = locks.lock("a", LockOptions.fixed(Duration.ofSeconds(30))).acquire();
    CompletableFuture<Void> closed = closing(locks);
    lease.lost().toCompletableFuture().get(20, SECONDS);
    assertFalse(closed.isDone());
    assertThrows(LeaseLostException.class, lease::release);
    closed.get(20, SECONDS);
    assertTrue(map.isEmpty(), "releases still work");
  }
}
