package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.SharedLeaseStore;
import dev.leasehold.testkit.MapReadWrite.Side;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;

/** A {@link MapLeaseStore} that has semaphores, read/write locks and latches too. */
final class MapStoreOfKinds extends MapLeaseStore
    implements PermitStore, SharedLeaseStore, LatchStore {
  private final Kinds kinds;

  /** What managers on one memory share beside the locks. */
  record Kinds(MapPermits permits, MapReadWrite sides, MapLatches latches) {
    Kinds() {
      this(new MapPermits(), new MapReadWrite(), new MapLatches());
    }
  }

  MapStoreOfKinds(ConcurrentMap<String, Held> locks, Kinds kinds) {
    super(locks);
    this.kinds = kinds;
  }

  @Override
  public LeaseStore reads() {
    return kinds.sides().view(Side.READ, "");
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return kinds.sides().view(Side.READ, write.token());
  }

  @Override
  public LeaseStore writes() {
    return kinds.sides().view(Side.WRITE, "");
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return kinds.permits().view(wanted, of);
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return kinds.permits().count(name);
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return kinds.permits().resize(name, from, to);
  }

  @Override
  public Latches latches() {
    return kinds.latches();
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = new HashSet<>(super.guarantees());
    all.addAll(
        Set.of(
            Guarantee.PERMITS,
            Guarantee.SHARED,
            Guarantee.WRITERS_TURN,
            Guarantee.LATCH,
            Guarantee.LATCH_OPENING));
    return all;
  }
}
