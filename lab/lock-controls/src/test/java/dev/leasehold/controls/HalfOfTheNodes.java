package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Half of the nodes count as a majority. */
public final class HalfOfTheNodes extends QuorumControl {
  @Override
  public String name() {
    return "quorum with N/2 votes";
  }

  @Override
  List<String> tells() {
    return List.of("QU-1");
  }

  @Override
  List<String> breaks() {
    return List.of("QU-1", "QU-2", "QU-3", "QU-4", "QU-5");
  }

  @Override
  LeaseStore over(List<? extends LeaseStore> nodes) {
    return new QuorumSketch(nodes) {
      @Override
      int needed() {
        return nodes.size() / 2;
      }
    };
  }
}
