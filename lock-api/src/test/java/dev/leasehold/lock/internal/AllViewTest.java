package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.several.AllView;
import dev.leasehold.lock.internal.threads.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("The view of several locks as one, over views of any implementation")
class AllViewTest {
  private final ManualTime time = new ManualTime();

  /** What was taken and given back, in order. */
  private final List<String> calls = new ArrayList<>();

  /** How long each may wait for what it waits for. */
  private final List<String> waits = new ArrayList<>();

  private final One a = new One("a");
  private final One b = new One("b");
  private final One c = new One("c");
  private final Lock all = new AllView(List.of(a, b, c), new Clock(time, time, Runnable::run));

  private final class One implements Lock {
    private final String name;
    BooleanSupplier tried = () -> true;
    @Nullable RuntimeException unlockFails;

    One(String name) {
      this.name = name;
    }

    @Override
    public void lock() {
      throw new AssertionError("it can't be interrupted");
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      calls.add(name);
    }

    @Override
    public boolean tryLock() {
      boolean taken = tried.getAsBoolean();
      if (taken) {
        calls.add(name);
      }
      return taken;
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) {
      waits.add(name + " " + unit.toSeconds(wait));
      return tryLock();
    }

    @Override
    public void unlock() {
      calls.add(name + " back");
      if (unlockFails != null) {
        throw unlockFails;
      }
    }

    @Override
    public Condition newCondition() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  @Test
  @DisplayName("is taken in each way")
  void isTaken() throws Exception {
    all.lock();
    assertTrue(all.tryLock());
    assertTrue(all.tryLock(1, TimeUnit.SECONDS));
    all.lockInterruptibly();
    assertEquals(12, calls.size());
    assertEquals("Lock view of all of [a, b, c]", all.toString());
  }

  @Test
  @DisplayName("one is waited for, and none without a time to wait")
  void waitsForOne() throws Exception {
    assertTrue(all.tryLock(0, TimeUnit.SECONDS));
    assertEquals(List.of(), waits);
    assertTrue(all.tryLock(2, TimeUnit.SECONDS));
    assertEquals(List.of("a 2"), waits);
  }

  @Test
  @DisplayName("an interrupt ends a tryLock() that may wait, and that of no time to wait")
  void interruptedBefore() {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> all.tryLock(0, TimeUnit.SECONDS));
    assertEquals(List.of(), calls);
  }

  @Test
  @DisplayName("an interrupt does not end a lock(), and is kept for later")
  void interrupted() {
    Thread.currentThread().interrupt();
    all.lock();
    assertTrue(Thread.interrupted());
    assertEquals(List.of("a", "b", "c"), calls);
  }

  @Test
  @DisplayName("where one is refused, those that were taken are unlocked")
  void refused() {
    c.tried = () -> false;
    assertFalse(all.tryLock());
    assertEquals(List.of("a", "b", "b back", "a back"), calls);
  }

  @Test
  @DisplayName("a view does not show whether others had it: a failure as the time ends is thrown")
  void failsAtTheEnd() {
    LockStoreException failure = new LockStoreException(Kind.UNAVAILABLE, "of the test's");
    b.tried =
        () -> {
          time.advance(Duration.ofSeconds(1));
          throw failure;
        };
    assertSame(
        failure, assertThrows(LockStoreException.class, () -> all.tryLock(1, TimeUnit.SECONDS)));
    assertEquals(List.of("a", "a back"), calls);
  }

  @Test
  @DisplayName("whatever an unlock throws, all are unlocked, the last first")
  void unlockFails() {
    all.lock();
    calls.clear();
    a.unlockFails = new IllegalMonitorStateException("a");
    assertSame(a.unlockFails, assertThrows(RuntimeException.class, all::unlock));
    c.unlockFails = new IllegalMonitorStateException("c");
    RuntimeException failure = assertThrows(RuntimeException.class, all::unlock);
    assertSame(c.unlockFails, failure);
    assertEquals(List.of(a.unlockFails), List.of(failure.getSuppressed()));
    assertEquals(List.of("c back", "b back", "a back", "c back", "b back", "a back"), calls);
  }
}
