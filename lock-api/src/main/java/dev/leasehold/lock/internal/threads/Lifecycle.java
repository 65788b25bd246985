package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.LockManagerClosedException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a manager's end has to wait for, and to end.
 *
 * @param closing set when the close begins: from then on nobody gets a lock any more
 * @param inFlight what is under way
 * @param outbox where turns leave what they put down; it counts as under way
 * @param reclaimer has a timer of its own
 */
public record Lifecycle(
    AtomicBoolean closing, InFlight inFlight, Outbox outbox, Reclaimer reclaimer, Threads threads) {

  public boolean isClosing() {
    return closing.get();
  }

  /** Begins the close: true for one caller only. */
  public boolean beginClose() {
    return closing.compareAndSet(false, true);
  }

  /** What is told to whom the close was before. */
  public static LockManagerClosedException closedFailure() {
    return new LockManagerClosedException("the lock manager is closed");
  }
}
