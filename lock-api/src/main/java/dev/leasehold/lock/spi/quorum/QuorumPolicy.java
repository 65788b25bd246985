package dev.leasehold.lock.spi.quorum;

import java.time.Duration;

/**
 * The arithmetic of a lock on several independent nodes. Stateless and thread-safe. Replaceable
 * through {@link dev.leasehold.lock.LockManager.Opener#quorum}, a backend's builder or {@link
 * java.util.ServiceLoader}.
 *
 * @see <a
 *     href="https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/">Redlock</a>
 */
public interface QuorumPolicy {

  /**
   * Whether these nodes form a quorum. Any two quorums must have a node in common, and a superset
   * of a quorum must be a quorum.
   */
  boolean isQuorum(NodeSet nodes);

  /**
   * The allowance for clock drift during one lease. Default: a hundredth of the lease plus 2 ms.
   */
  default Duration driftAllowance(Duration lease) {
    return lease.dividedBy(100).plusMillis(2);
  }

  /**
   * The longest time to wait for one node. Default: a tenth of the lease, at least 20 ms and at
   * most 500 ms.
   */
  default Duration nodeTimeout(Duration lease) {
    Duration part = lease.dividedBy(10);
    Duration least = Duration.ofMillis(20);
    Duration most = Duration.ofMillis(500);
    return part.compareTo(least) < 0 ? least : part.compareTo(most) > 0 ? most : part;
  }

  /**
   * The remaining validity of a lease after the time taken to acquire it and the drift allowance;
   * negative if none remains.
   */
  default Duration validity(Duration lease, Duration elapsed) {
    return lease.minus(elapsed).minus(driftAllowance(lease));
  }

  /** The majority policy: more than half of the nodes. All returned instances are equal. */
  static QuorumPolicy majority() {
    return new Majority();
  }
}
