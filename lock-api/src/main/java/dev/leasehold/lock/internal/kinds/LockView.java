package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Lock} view. It marks the acquisitions that a thread made through it in the thread's
 * hold, and releases the latest first. It has no state, so all views of a name are equivalent.
 */
public final class LockView implements Lock {
  private final NamedLock lock;

  /** How an entry is released. */
  private interface Releasing {
    CompletableFuture<Void> release(
        HoldCalls calls, HoldEntry entry, @Nullable CallerThread caller);
  }

  /** For a thread's holds. */
  LockView(NamedLock lock) {
    this.lock = lock;
  }

  @Override
  public void lock() {
    push(lock.acquireUninterruptibly());
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    push(lock.acquire());
  }

  @Override
  public boolean tryLock() {
    return push(lock.tryAcquire());
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    // As in ReentrantLock, a time of zero or less means a single attempt.
    return push(lock.tryAcquireOnce(Duration.ofNanos(Math.max(0, unit.toNanos(time)))));
  }

  private static boolean push(Optional<Lease> lease) {
    lease.ifPresent(LockView::push);
    return lease.isPresent();
  }

  private static void push(Lease lease) {
    ((LeaseHandle) lease).entry().viewed = true;
  }

  @Override
  public void unlock() {
    unlock(HoldCalls::release);
  }

  /** Releases it without a minimum hold, since it was not used. */
  public void unlockUnused() {
    unlock(HoldCalls::releaseUnused);
  }

  private void unlock(Releasing how) {
    HoldCalls calls = calls();
    HoldEntry entry = held(calls);
    try {
      Waits.join(calls.callers().releasing(caller -> how.release(calls, entry, caller)));
    } catch (LeaseLostException lost) {
      IllegalMonitorStateException failure = notHeld(" no longer holds ");
      failure.initCause(lost);
      throw failure;
    }
  }

  /**
   * Looks whether there is something to unlock, and changes nothing.
   *
   * @throws IllegalMonitorStateException if there is not
   */
  public void checkHeld() {
    held(calls());
  }

  private HoldCalls calls() {
    HoldCalls calls = lock.table().holdCalls(lock.name());
    if (calls == null) {
      throw notHeld(" does not hold ");
    }
    return calls;
  }

  private HoldEntry held(HoldCalls calls) {
    HoldEntry entry = calls.viewed(Thread.currentThread());
    if (entry == null) {
      throw notHeld(" does not hold ");
    }
    return entry;
  }

  private IllegalMonitorStateException notHeld(String how) {
    String thread = Quoted.name(Thread.currentThread().getName());
    return new IllegalMonitorStateException("thread " + thread + how + lock.words());
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a distributed lock has no conditions");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LockView that
        && lock.table() == that.lock.table()
        && lock.name().equals(that.lock.name());
  }

  @Override
  public int hashCode() {
    return lock.hashCode();
  }

  @Override
  public String toString() {
    return "Lock view of " + lock.words();
  }
}
