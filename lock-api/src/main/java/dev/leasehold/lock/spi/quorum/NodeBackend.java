package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LockBackend;
import java.time.Duration;

/** A backend whose stores can be nodes of a quorum that tolerates restarts of its nodes. */
public interface NodeBackend extends LockBackend {

  /**
   * Whether {@link #openNode} is possible with these settings. Otherwise a quorum that is set to
   * permit it uses {@link #open}. True unless overridden.
   *
   * @param settings as for {@link #check}; they name one server
   */
  default boolean isGuarded(LockSettings settings) {
    return true;
  }

  /**
   * As {@link #check}, for the checks of {@link #openNode}.
   *
   * @param settings as for {@link #check}; they name one server
   */
  default void checkNode(LockSettings settings) {
    check(settings);
  }

  /**
   * Opens one node. As {@link #open}, but the store neither grants nor votes while its server may
   * have lost locks: until the server is known to have run, with all of its data, for at least the
   * longest lease.
   *
   * @param settings as for {@link #open}; they name one server
   * @param longestLease upper bound of all leases of the quorum
   */
  IdentifiedStore openNode(LockSettings settings, Duration longestLease);
}
