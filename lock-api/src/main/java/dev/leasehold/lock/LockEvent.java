package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;

/**
 * What happened to a lock of any kind, as told to {@link LockListener}s.
 *
 * <p>Kinds may be added in any release: whoever tells them apart keeps a default branch, which
 * ignores what it does not know.
 */
public sealed interface LockEvent {

  /** What it is the name of. */
  LockKind kind();

  /** Name of the lock, semaphore or latch. */
  String lockName();

  /** The store granted the lock after this time of waiting. */
  record Acquired(LockKind kind, String lockName, Duration waited) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Acquired", "kind", kind, "lockName", lockName, "waited", waited);
    }
  }

  /** An attempt met another holder, whose lease has this long to go. */
  record Contended(LockKind kind, String lockName, Duration holderRemaining) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record(
          "Contended", "kind", kind, "lockName", lockName, "holderRemaining", holderRemaining);
    }
  }

  /** A lease was renewed; it has this long to go. */
  record Renewed(LockKind kind, String lockName, Duration remaining) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Renewed", "kind", kind, "lockName", lockName, "remaining", remaining);
    }
  }

  /**
   * The lock passed to the next waiter of this process, or a reader joined others of it, after this
   * time of waiting.
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

  /** A hold ended normally after this time. */
  record Released(LockKind kind, String lockName, Duration held) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Released", "kind", kind, "lockName", lockName, "held", held);
    }
  }

  /** Nobody can release a hold any more, which began this long ago; see {@link AbandonedHolds}. */
  record Abandoned(LockKind kind, String lockName, Duration held) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Abandoned", "kind", kind, "lockName", lockName, "held", held);
    }
  }

  /** A call to the store failed; {@code operation} is acquire, renew, release, leave or watch. */
  record Failed(LockKind kind, String lockName, String operation, LockStoreException cause)
      implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record(
          "Failed", "kind", kind, "lockName", lockName, "operation", operation, "cause", cause);
    }
  }
}
