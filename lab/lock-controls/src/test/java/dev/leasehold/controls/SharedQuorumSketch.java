package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.StoreContext;
import java.util.List;
import java.util.function.Function;

/**
 * A {@link FencedQuorumSketch} with read/write locks, over nodes that have them. It has no flaw; a
 * control adds one.
 */
class SharedQuorumSketch extends FencedQuorumSketch implements ReadWriteStore {
  private final LeaseStore reads;
  private final LeaseStore writes;

  /**
   * A store over some nodes.
   *
   * @param readersWriteBack whether a reader's largest vote is written back to the nodes
   */
  SharedQuorumSketch(List<? extends LeaseStore> nodes, boolean readersWriteBack) {
    super(nodes, Guarantee.SHARED);
    reads = side(ReadWriteStore::reads, readersWriteBack);
    writes = side(ReadWriteStore::writes, true);
  }

  private LeaseStore side(Function<ReadWriteStore, LeaseStore> view, boolean writesBack) {
    return new FencedQuorumSketch(
        nodes.stream().map(node -> view.apply((ReadWriteStore) node)).toList()) {
      @Override
      StoreContext context() {
        return SharedQuorumSketch.this.context();
      }

      @Override
      boolean writesBack() {
        return writesBack;
      }
    };
  }

  @Override
  public LeaseStore reads() {
    return reads;
  }

  /** Ignores the write lease: in this sketch a writer reads like any other owner. */
  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return reads;
  }

  @Override
  public LeaseStore writes() {
    return writes;
  }
}
