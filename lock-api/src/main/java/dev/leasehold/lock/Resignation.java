package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;

/**
 * Why a leader of a {@link LeaderElection} is none any more.
 *
 * <p>Kinds may be added in any release: whoever tells them apart keeps a default branch.
 */
public sealed interface Resignation {

  /** Name of the lock that was led by. */
  String lockName();

  /** The lease was lost: another leader may have been elected already. */
  record Lost(String lockName, LeaseLoss loss) implements Resignation {
    @Override
    public String toString() {
      return Quoted.record("Lost", "lockName", lockName, "loss", loss);
    }
  }

  /** The callback for the elected threw this. */
  record Failed(String lockName, Throwable cause) implements Resignation {
    @Override
    public String toString() {
      return Quoted.record("Failed", "lockName", lockName, "cause", cause);
    }
  }

  /** The leader released its lease. */
  record GivenUp(String lockName) implements Resignation {
    @Override
    public String toString() {
      return Quoted.record("GivenUp", "lockName", lockName);
    }
  }

  /** The election was closed. */
  record Closed(String lockName) implements Resignation {
    @Override
    public String toString() {
      return Quoted.record("Closed", "lockName", lockName);
    }
  }
}
