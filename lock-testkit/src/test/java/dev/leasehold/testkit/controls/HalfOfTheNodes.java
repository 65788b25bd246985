package dev.leasehold.testkit.controls;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.node.MemoryNodes;
import java.time.Duration;
import java.util.List;

/** Half of the nodes are taken for enough. */
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
    return List.of("EX-1", "QU-1", "QU-2", "QU-3", "QU-4", "QU-5", "RL-2");
  }

  /** Of two that ask at the same time each is the first somewhere. */
  @Override
  void prepare(MemoryNodes nodes) {
    nodes.all().forEach(node -> node.gather(Duration.ofMillis(1)));
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
