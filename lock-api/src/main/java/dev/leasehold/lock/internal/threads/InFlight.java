package dev.leasehold.lock.internal.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts operations in flight, and ends: when none is left, or at once. After the end no operation
 * begins. Thread-safe.
 */
public final class InFlight {
  /** Added to the count at the end. */
  private static final int ENDED = Integer.MIN_VALUE;

  private final AtomicInteger count = new AtomicInteger();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private volatile boolean draining;

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
}
