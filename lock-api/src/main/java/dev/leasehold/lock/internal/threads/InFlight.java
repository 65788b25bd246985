package dev.leasehold.lock.internal.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what is under way, and ends: once nothing is under way any more, or at once. Nothing
 * begins after the end. Thread-safe.
 */
public final class InFlight {
  /** Added to the count at the end. */
  private static final int ENDED = Integer.MIN_VALUE;

  private final AtomicInteger count = new AtomicInteger();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private volatile boolean draining;

  /** Counts one more, which has to {@link #end()}; false after the end. */
  public boolean begin() {
    int before = count.getAndUpdate(n -> n < 0 ? n : n + 1);
    return before >= 0;
  }

  /** One less. */
  public void end() {
    if (count.decrementAndGet() == 0 && draining) {
      endIfIdle();
    }
  }

  /** Completes when nothing is under way, and that is the end. */
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

  /** Ends it now, whatever is under way. */
  public void endNow() {
    count.updateAndGet(n -> n < 0 ? n : n + ENDED);
  }

  public boolean isEnded() {
    return count.get() < 0;
  }
}
