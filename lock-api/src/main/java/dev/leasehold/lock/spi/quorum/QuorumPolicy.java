package dev.leasehold.lock.spi.quorum;

import java.time.Duration;

/**
 * The arithmetic of a lock on several independent nodes. Stateless and thread-safe. Replaceable by
 * a backend's builder or {@link java.util.ServiceLoader}.
 *
 * @see <a
 *     href="https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/">Redlock</a>
 */
public interface QuorumPolicy {

  /**
   * Whether these nodes are enough. Any two sets that are enough must have a node in common, and a
   * set that is enough must stay so with more nodes.
   */
  boolean isQuorum(NodeSet nodes);

  /** What clocks may drift apart during one lease. Default: a hundredth of it and 2 ms. */
  default Duration driftAllowance(Duration lease) {
    return lease.dividedBy(100).plusMillis(2);
  }

  /** The longest one node is waited for. Default: a tenth of the lease, 20 ms to 500 ms. */
  default Duration nodeTimeout(Duration lease) {
    Duration part = lease.dividedBy(10);
    Duration least = Duration.ofMillis(20);
    Duration most = Duration.ofMillis(500);
    return part.compareTo(least) < 0 ? least : part.compareTo(most) > 0 ? most : part;
  }

  /** What is left of a lease after the time it took to get it; negative if nothing is. */
  default Duration validity(Duration lease, Duration elapsed) {
    return lease.minus(elapsed).minus(driftAllowance(lease));
  }

  /** More than half of the nodes. */
  static QuorumPolicy majority() {
    return nodes -> nodes.size() > nodes.outOf() / 2;
  }
}
