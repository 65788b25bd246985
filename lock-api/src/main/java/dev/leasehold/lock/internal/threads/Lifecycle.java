package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.LockManagerClosedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The close of a manager, and the operations in flight for which it waits. Once it has begun, no
 * lock is granted; after its end, which comes when no operation is left or at once, no operation
 * begins. Thread-safe.
 */
public final class Lifecycle {
  /** Added to the count at the end. */
  private static final int ENDED = Integer.MIN_VALUE;

  private final AtomicBoolean closing = new AtomicBoolean();
  private final AtomicInteger count = new AtomicInteger();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private volatile boolean draining;

  public boolean isClosing() {
    return closing.get();
  }

  /** Begins the close. Returns true for one caller only. */
  public boolean beginClose() {
    return closing.compareAndSet(false, true);
  }

  /** Counts one more operation, which must call {@link #end()}; returns false after the end. */
  public boolean begin() {
    int before = count.getAndUpdate(n -> n < 0 ? n : n + 1);
    return before >= 0;
  }

  /** Counts one operation less. */
  public void end() {
    if (count.decrementAndGet() == 0 && draining) {
      endIfIdle();
    }
  }

  /** Returns a stage that completes when no operation is in flight; that is the end. */
  public CompletableFuture<Void> drained() {
    draining = true;
    endIfIdle();
    return drained;
  }

  private void endIfIdle() {
    if (count.compareAndSet(0, ENDED)) {
      drained.complete(null);
    }
  }

  /** Ends now, whatever is in flight. */
  public void endNow() {
    count.updateAndGet(n -> n < 0 ? n : n + ENDED);
  }

  public boolean isEnded() {
    return count.get() < 0;
  }

  /** Returns the failure of calls that come after the close. */
  public static LockManagerClosedException closedFailure() {
    return new LockManagerClosedException("the lock manager is closed");
  }
}
