package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;

/**
 * What happened to a lock, as told to {@link LockListener}s.
 *
 * <p>Kinds may be added in any release: whoever tells them apart keeps a default branch, which
 * ignores what it does not know.
 */
public sealed interface LockEvent {

  /** Name of the lock. */
  String lockName();

  /** The store granted the lock after this time of waiting. */
  record Acquired(String lockName, Duration waited) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Acquired", "lockName", lockName, "waited", waited);
    }
  }

  /** An attempt met another holder, whose lease has this long to go. */
  record Contended(String lockName, Duration holderRemaining) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Contended", "lockName", lockName, "holderRemaining", holderRemaining);
    }
  }

  /** A lease was renewed; it has this long to go. */
  record Renewed(String lockName, Duration remaining) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Renewed", "lockName", lockName, "remaining", remaining);
    }
  }

  /**
   * The lock passed to the next waiter of this process, or a reader joined others of it, after this
   * time of waiting.
   */
  record HandedOver(String lockName, Duration waited) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("HandedOver", "lockName", lockName, "waited", waited);
    }
  }

  /** A lease was lost. */
  record Lost(String lockName, LeaseLoss loss) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Lost", "lockName", lockName, "loss", loss);
    }
  }

  /** A hold ended normally after this time. */
  record Released(String lockName, Duration held) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Released", "lockName", lockName, "held", held);
    }
  }

  /** Nobody can release a hold any more, which began this long ago; see {@link AbandonedHolds}. */
  record Abandoned(String lockName, Duration held) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Abandoned", "lockName", lockName, "held", held);
    }
  }

  /** A call to the store failed; {@code operation} is acquire, renew, release, leave or watch. */
  record Failed(String lockName, String operation, LockStoreException cause) implements LockEvent {
    @Override
    public String toString() {
      return Quoted.record("Failed", "lockName", lockName, "operation", operation, "cause", cause);
    }
  }
}
