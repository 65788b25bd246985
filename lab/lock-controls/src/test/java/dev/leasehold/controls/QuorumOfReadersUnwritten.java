package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A reader's token is the largest vote, which is not written back to the other nodes. */
public final class QuorumOfReadersUnwritten extends QuorumControl {
  @Override
  public String name() {
    return "quorum whose readers write nothing back";
  }

  @Override
  List<String> tells() {
    return List.of("RW-7");
  }

  @Override
  List<String> breaks() {
    return List.of("RW-7");
  }

  @Override
  LeaseStore over(List<? extends LeaseStore> nodes) {
    return new SharedQuorumSketch(nodes, false);
  }
}
