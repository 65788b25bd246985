package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;

/**
 * The reason why a leader of a {@link LeaderElection} no longer leads.
 *
 * <p>Types may be added in any release: code that distinguishes them needs a default branch.
 */
public sealed interface Resignation {

  /** The name of the election's lock. */
  String lockName();

  /** The lease was lost: another leader may have been elected already. */
  record Lost(String lockName, LeaseLoss loss) implements Resignation {
    @Override
    public String toString() {
      return Quoted.record("Lost", "lockName", lockName, "loss", loss);
    }
  }

  /** The {@code elected} callback threw this. */
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
