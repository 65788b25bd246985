package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same behaviour is asked of {@link ReentrantLock} and of the view. */
@Timeout(20)
class LockViewTest {
  private static final LockManager LOCKS =
      LockManager.over(new MapStore(Ticker.system())).closeGrace(Duration.ZERO).build();
  private static int names;

  private final ExecutorService other = Executors.newSingleThreadExecutor();

  static Stream<Lock> locks() {
    return Stream.of(new ReentrantLock(), LOCKS.lock("view-" + names++).asLock());
  }

  @AfterEach
  void end() {
    other.shutdownNow();
  }

  @AfterAll
  static void close() {
    LOCKS.close();
  }

  private <T> T elsewhere(Callable<T> call) throws Exception {
    return other.submit(call).get(10, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @MethodSource("locks")
  void isReentrantAndFreeAfterAsManyUnlocks(Lock lock) throws Exception {
    lock.lock();
    lock.lockInterruptibly();
    assertTrue(lock.tryLock());
    assertTrue(lock.tryLock(1, TimeUnit.SECONDS));
    for (int i = 0; i < 4; i++) {
      assertFalse(elsewhere(() -> lock.tryLock()));
      lock.unlock();
    }
    assertTrue(elsewhere(() -> lock.tryLock()));
  }

  @ParameterizedTest
  @MethodSource("locks")
  void aStrangerCannotUnlock(Lock lock) throws Exception {
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
    lock.lock();
    ExecutionException refused =
        assertThrows(
            ExecutionException.class,
            () ->
                elsewhere(
                    () -> {
                      lock.unlock();
                      return null;
                    }));
    assertInstanceOf(IllegalMonitorStateException.class, refused.getCause());
    assertFalse(elsewhere(() -> lock.tryLock()));
    lock.unlock();
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
  }

  @ParameterizedTest
  @MethodSource("locks")
  void aTimedAttemptEndsFalseByItsTime(Lock lock) throws Exception {
    lock.lock();
    long before = System.nanoTime();
    assertFalse(elsewhere(() -> lock.tryLock(50, TimeUnit.MILLISECONDS)));
    long took = System.nanoTime() - before;
    assertTrue(took >= 50_000_000 && took < 5_000_000_000L, () -> "took " + took + " ns");
    assertFalse(elsewhere(() -> lock.tryLock(0, TimeUnit.MILLISECONDS)));
    assertFalse(elsewhere(() -> lock.tryLock(-1, TimeUnit.MILLISECONDS)));
    lock.unlock();
  }

  @ParameterizedTest
  @MethodSource("locks")
  void anInterruptEndsInterruptibleWaitsOnly(Lock lock) throws Exception {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, lock::lockInterruptibly);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> lock.tryLock(1, TimeUnit.SECONDS));
    Thread.currentThread().interrupt();
    assertDoesNotThrow(lock::lock);
    assertTrue(Thread.interrupted(), "lock() keeps the flag");
    Thread.currentThread().interrupt();
    assertTrue(lock.tryLock());
    lock.unlock();
    assertTrue(Thread.interrupted(), "tryLock() and unlock() keep the flag");

    CountDownLatch begun = new CountDownLatch(1);
    Future<?> waiter =
        other.submit(
            () -> {
              begun.countDown();
              lock.lockInterruptibly();
              return null;
            });
    begun.await();
    other.shutdownNow(); // interrupts
    ExecutionException ended =
        assertThrows(ExecutionException.class, () -> waiter.get(10, TimeUnit.SECONDS));
    assertInstanceOf(InterruptedException.class, ended.getCause());
    lock.unlock();
    assertTrue(lock.tryLock());
    lock.unlock();
  }

  @ParameterizedTest
  @MethodSource("locks")
  void aWaiterGetsItAfterTheUnlock(Lock lock) throws Exception {
    lock.lock();
    Future<?> waiter = other.submit(lock::lock);
    lock.unlock();
    waiter.get(10, TimeUnit.SECONDS);
    assertFalse(lock.tryLock());
  }

  @Test
  void allViewsOfANameAreOne() {
    LOCKS.lock("one").asLock().lock();
    LOCKS.lock("one", LockOptions.fixed(Duration.ofSeconds(9))).asLock().unlock();
    assertThrows(IllegalMonitorStateException.class, LOCKS.lock("one").asLock()::unlock);
  }

  @Test
  void unlockGivesBackOnlyWhatTheViewTook() throws Exception {
    Lease lease = LOCKS.lock("mixed").acquire();
    Lock view = LOCKS.lock("mixed").asLock();
    assertThrows(IllegalMonitorStateException.class, view::unlock);
    view.lock();
    assertEquals(2, lease.holdCount());
    view.unlock();
    assertTrue(lease.isValid());
    lease.release();
  }

  @Test
  void afterALossUnlockSaysSoOnceForEachHold() throws Exception {
    Lock view = LOCKS.lock("lost", LockOptions.fixed(Duration.ofMillis(500))).asLock();
    view.lock();
    view.lock();
    assertTrue(elsewhere(() -> LOCKS.lock("lost").asLock().tryLock(9, TimeUnit.SECONDS)));
    assertThrows(LeaseLostException.class, view::lock);
    assertThrows(LeaseLostException.class, view::lockInterruptibly);
    assertThrows(LeaseLostException.class, view::tryLock);
    assertThrows(LeaseLostException.class, () -> view.tryLock(1, TimeUnit.MILLISECONDS));
    for (int hold = 0; hold < 2; hold++) {
      Throwable late = assertThrows(IllegalMonitorStateException.class, view::unlock);
      assertInstanceOf(LeaseLostException.class, late.getCause());
    }
    Throwable stranger = assertThrows(IllegalMonitorStateException.class, view::unlock);
    assertNull(stranger.getCause());
    elsewhere(
        () -> {
          LOCKS.lock("lost").asLock().unlock();
          return true;
        });
    assertTrue(view.tryLock(9, TimeUnit.SECONDS), "what was unlocked can be locked anew");
    view.unlock();
  }

  @Test
  void conditionsAreUnsupported() {
    Lock view = LOCKS.lock("conditions").asLock();
    String message =
        assertThrows(UnsupportedOperationException.class, view::newCondition).getMessage();
    assertTrue(message.contains("no conditions"), message);
  }
}
