package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;

/**
 * An event in the life of a lock of any kind, as reported to {@link LockListener}s.
 *
 * <p>Event types may be added in any release: code that distinguishes them needs a default branch
 * that ignores unknown ones.
 */
public sealed interface LockEvent {

  /** The kind of the lock. */
  LockKind kind();

  /** The name of the lock, semaphore or latch. */
  String lockName();

  /** The store granted the lock after a wait of this length. */
  record Acquired(LockKind kind, String lockName, Duration waited) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Acquired", "kind", kind, "lockName", lockName, "waited", waited);
    }
  }

  /** An attempt found another holder, whose lease expires after this time. */
  record Contended(LockKind kind, String lockName, Duration holderRemaining) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record(
          "Contended", "kind", kind, "lockName", lockName, "holderRemaining", holderRemaining);
    }
  }

  /** A lease was renewed and now has this much time left. */
  record Renewed(LockKind kind, String lockName, Duration remaining) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Renewed", "kind", kind, "lockName", lockName, "remaining", remaining);
    }
  }

  /**
   * The lock was handed over to the next waiter in this process, or taken again from a lease that
   * it kept after a release, or a reader joined others of this process, after a wait of this
   * length.
   */
  record HandedOver(LockKind kind, String lockName, Duration waited) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("HandedOver", "kind", kind, "lockName", lockName, "waited", waited);
    }
  }

  /** A lease was lost. */
  record Lost(LockKind kind, String lockName, LeaseLoss loss) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Lost", "kind", kind, "lockName", lockName, "loss", loss);
    }
  }

  /** A hold of this length ended normally. */
  record Released(LockKind kind, String lockName, Duration held) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Released", "kind", kind, "lockName", lockName, "held", held);
    }
  }

  /** A hold that began this long ago can no longer be released; see {@link AbandonedHolds}. */
  record Abandoned(LockKind kind, String lockName, Duration held) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Abandoned", "kind", kind, "lockName", lockName, "held", held);
    }
  }

  /**
   * A call to the store failed; {@code operation} is acquire, renew, release, inspect, watch,
   * leave, or recall (of a lease that lingers). For semaphores also resize; for latches open, count
   * down and look.
   */
  record Failed(LockKind kind, String lockName, String operation, LockStoreException cause)
      implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record(
          "Failed", "kind", kind, "lockName", lockName, "operation", operation, "cause", cause);
    }
  }
}
