package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;

/** Assumes equal clocks: adds beforehand what the engine deducts for drift. */
public final class QuorumWithoutDrift extends QuorumControl {
  @Override
  public String name() {
    return "quorum without drift";
  }

  @Override
  List<String> tells() {
    return List.of("QU-1");
  }

  @Override
  List<String> breaks() {
    return List.of("QU-1");
  }

  @Override
  LeaseStore over(List<? extends LeaseStore> nodes) {
    return new QuorumSketch(nodes) {
      @Override
      Duration validity(Duration lease, Duration elapsed) {
        return lease.plus(lease.dividedBy(100)).plusMillis(2);
      }
    };
  }
}
