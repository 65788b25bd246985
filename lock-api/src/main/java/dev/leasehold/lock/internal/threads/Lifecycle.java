package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.LockManagerClosedException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the close of a manager waits for, and ends.
 *
 * @param closing set when the close begins: no lock is granted from then on
 * @param inFlight operations in flight
 * @param outbox runs queued actions, which count as in flight
 * @param reclaimer has a timer of its own
 */
public record Lifecycle(
    AtomicBoolean closing, InFlight inFlight, Outbox outbox, Reclaimer reclaimer, Threads threads) {

  public boolean isClosing() {
    return closing.get();
  }

  /** Begins the close. Returns true for one caller only. */
  public boolean beginClose() {
    return closing.compareAndSet(false, true);
  }

  /** Returns the failure of calls that come after the close. */
  public static LockManagerClosedException closedFailure() {
    return new LockManagerClosedException("the lock manager is closed");
  }
}
