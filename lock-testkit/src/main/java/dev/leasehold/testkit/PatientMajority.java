package dev.leasehold.testkit;

import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.ServiceLoader;

/**
 * The majority, where all nodes, their clients and the rules beside this one share a machine: a
 * node that is well may take longer than a tenth of a short lease. How long a silent node is waited
 * for is shown on nodes in memory, by the backend's own policy. Stateless.
 */
final class PatientMajority implements QuorumPolicy {
  private static final Duration PATIENCE = Duration.ofMillis(250);

  /** Whether a policy of the user's is on the path, which is what the rules are to run on then. */
  static boolean isReplaced() {
    return ServiceLoader.load(QuorumPolicy.class).iterator().hasNext();
  }

  @Override
  public boolean isQuorum(NodeSet nodes) {
    return QuorumPolicy.majority().isQuorum(nodes);
  }

  @Override
  public Duration nodeTimeout(Duration lease) {
    Duration usual = QuorumPolicy.majority().nodeTimeout(lease);
    Duration half = lease.dividedBy(2);
    Duration patient = half.compareTo(PATIENCE) < 0 ? half : PATIENCE;
    return usual.compareTo(patient) < 0 ? patient : usual;
  }
}
