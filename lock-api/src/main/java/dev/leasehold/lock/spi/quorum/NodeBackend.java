package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LockBackend;
import java.time.Duration;

/** A backend whose stores can be nodes of a quorum that bears restarts of its nodes. */
public interface NodeBackend extends LockBackend {

  /**
   * As {@link #check}, for what {@link #openNode} would refuse.
   *
   * @param settings as for {@link #check}; they name one server
   */
  default void checkNode(LockSettings settings) {
    check(settings);
  }

  /**
   * Opens one node. As {@link #open}, but the store neither grants nor votes on a server that may
   * have forgotten locks: one that it does not know to have run, with all of its data, for at least
   * the longest lease.
   *
   * @param settings as for {@link #open}; they name one server
   * @param longestLease no lease of the quorum is longer
   */
  IdentifiedStore openNode(LockSettings settings, Duration longestLease);
}
