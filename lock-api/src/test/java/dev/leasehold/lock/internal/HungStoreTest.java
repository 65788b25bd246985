package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A blocking store that hangs, and the times of its callers. */
@Timeout(30)
class HungStoreTest {
  private static final Duration BRIEF = Duration.ofMillis(200);
  private static final Duration SLACK = Duration.ofSeconds(2);
  private static final LockOptions SHORT = LockOptions.fixed(Duration.ofSeconds(20));
  private static final LockOptions LONGER = LockOptions.fixed(Duration.ofSeconds(40));

  private final GatedStore store = new GatedStore(new MapStore(Ticker.system()));
  private LockManager locks = open(Duration.ofSeconds(8));

  private LockManager open(Duration commandTimeout) {
    return LockManager.over(store)
        .closeGrace(Duration.ofMillis(50))
        .commandTimeout(commandTimeout)
        .build();
  }

  @AfterEach
  void close() {
    store.open();
    locks.close();
  }

  private static void checkAtMost(Duration time, long begun) {
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(took.compareTo(time.plus(SLACK)) < 0, () -> "it took " + took);
  }

  @Test
  void timedReentryThatMustGrow() throws Exception {
    Lease outer = locks.lock("a", SHORT).acquire();
    store.hold(GatedStore.Op.RENEW);
    long begun = System.nanoTime();
    LockStoreException late =
        assertThrows(LockStoreException.class, () -> locks.lock("a", LONGER).tryAcquire(BRIEF));
    assertEquals(LockStoreException.Kind.TIMED_OUT, late.kind());
    checkAtMost(BRIEF, begun);
    assertEquals(1, outer.holdCount());
    store.open();
    outer.release();
    assertTrue(store.store.isEmpty());
  }

  @Test
  void interruptedReentryThatMustGrow() throws Exception {
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread holder =
        new Thread(
            () -> {
              try (Lease outer = locks.lock("a", SHORT).acquire()) {
                store.hold(GatedStore.Op.RENEW);
                ended.complete(
                    assertThrows(Exception.class, () -> locks.lock("a", LONGER).acquire()));
                assertEquals(1, outer.holdCount());
              } catch (InterruptedException | RuntimeException | Error e) {
                ended.complete(e);
              }
            });
    holder.start();
    Spin.until(() -> !store.store.isEmpty());
    store.awaitReached(GatedStore.Op.RENEW);
    long begun = System.nanoTime();
    holder.interrupt();
    assertInstanceOf(InterruptedException.class, ended.get(20, SECONDS));
    checkAtMost(Duration.ZERO, begun);
    store.open();
    holder.join();
  }

  @Test
  void tryAcquireByTheCommandTimeout() throws Exception {
    locks.close();
    locks = open(BRIEF);
    store.hold(GatedStore.Op.ACQUIRE);
    long begun = System.nanoTime();
    assertThrows(LockStoreException.class, () -> locks.lock("a").tryAcquire());
    checkAtMost(BRIEF, begun);
    begun = System.nanoTime();
    assertThrows(LockStoreException.class, () -> locks.lock("b").tryAcquire(BRIEF));
    checkAtMost(BRIEF, begun);
  }

  @Test
  void anAskThatHangsTakesNoLockLater() throws Exception {
    locks.close();
    locks = open(BRIEF);
    store.hold(GatedStore.Op.ASK);
    assertThrows(LockStoreException.class, () -> locks.lock("a").tryAcquire());
    pass(BRIEF.multipliedBy(2)); // the release of the token has its first tries behind it
    assertEquals(0, store.store.calls());
    store.open(); // only now the ask comes to the store
    Spin.until(() -> store.store.calls() >= 2 && store.store.isEmpty());
  }

  private static void pass(Duration time) {
    new CompletableFuture<Void>().completeOnTimeout(null, time.toMillis(), MILLISECONDS).join();
  }

  @Test
  void acquireByAnInterrupt() throws Exception {
    store.hold(GatedStore.Op.ACQUIRE);
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () ->
                ended.complete(
                    assertThrows(Exception.class, () -> locks.lock("a").acquire().release())));
    waiter.start();
    store.awaitReached(GatedStore.Op.ACQUIRE);
    long begun = System.nanoTime();
    waiter.interrupt();
    assertInstanceOf(InterruptedException.class, ended.get(20, SECONDS));
    checkAtMost(Duration.ZERO, begun);
  }

  @Test
  void blockingCallsRunOnThreadsOfTheManagerAlone() throws Exception {
    locks.lock("a").acquire().release();
    locks.lock("a").acquireAsync().toCompletableFuture().get(20, SECONDS).release();
    locks.lock("a").inspect();
    Set<Thread> threads = store.threads();
    assertTrue(
        threads.stream().allMatch(thread -> thread.getName().startsWith("leasehold-store-")),
        threads::toString);
  }
}
