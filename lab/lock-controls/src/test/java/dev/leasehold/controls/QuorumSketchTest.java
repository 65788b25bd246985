package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A plain quorum with nothing wrong keeps the rules of quorums")
class QuorumSketchTest extends LockConformance {
  /** The sketch without a flaw. */
  public static final class Sound extends QuorumControl {
    @Override
    public String name() {
      return "quorum";
    }

    @Override
    List<String> tells() {
      return List.of();
    }

    @Override
    List<String> breaks() {
      return List.of();
    }

    @Override
    LeaseStore over(List<? extends LeaseStore> nodes) {
      return new SharedQuorumSketch(nodes, true);
    }
  }

  @Override
  protected BackendUnderTest backend() {
    return new Sound();
  }

  /** The other rules take a minute. */
  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("QU-.*|RW-7") || Boolean.getBoolean("leasehold.all");
  }
}
