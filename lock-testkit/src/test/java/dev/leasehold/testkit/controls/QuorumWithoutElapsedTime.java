package dev.leasehold.testkit.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;

/** The lease counts from when the answers came. */
public final class QuorumWithoutElapsedTime extends QuorumControl {
  @Override
  public String name() {
    return "quorum without elapsed time";
  }

  @Override
  List<String> tells() {
    return List.of("QU-1");
  }

  @Override
  List<String> breaks() {
    return List.of("LE-3", "LE-4", "QU-1");
  }

  @Override
  LeaseStore over(List<? extends LeaseStore> nodes) {
    return new QuorumSketch(nodes) {
      @Override
      Duration validity(Duration lease, Duration elapsed) {
        return lease.plus(elapsed);
      }
    };
  }
}
