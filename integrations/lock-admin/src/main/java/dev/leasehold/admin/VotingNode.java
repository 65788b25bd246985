package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Optional;

/**
 * A node of a quorum, and whether it votes.
 *
 * @param node its address, without credentials
 * @param failure why it could not be reached, in one line; empty if it answered
 * @param quarantine how long it will not vote, because it may have forgotten locks; zero if it
 *     votes, or could not be reached. After a restart that no client has noticed yet, the longest
 *     lease
 */
public record VotingNode(String node, Optional<String> failure, Duration quarantine) {

  /** Returns whether it votes. */
  public boolean votes() {
    return failure.isEmpty() && quarantine.isZero();
  }

  @Override
  public String toString() {
    return Quoted.record("VotingNode", "node", node, "failure", failure, "quarantine", quarantine);
  }
}
