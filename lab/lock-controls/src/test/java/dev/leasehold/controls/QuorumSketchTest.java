package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A plain quorum with nothing wrong keeps the rules of quorums")
class QuorumSketchTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return new QuorumControl("quorum", breaks(), nodes -> new SharedQuorumSketch(nodes, true));
  }

  /** The other rules take a minute. */
  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("QU-.*|RW-7") || Boolean.getBoolean("leasehold.all");
  }
}
