package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.redis.common.Eviction;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Plain locks, and Redisson's other kinds. Thread-safe. */
final class StoreOfKinds extends RLockStore implements ReadWriteStore, PermitStore, LatchStore {
  private final ReadWriteViews sides;
  private final PermitViews permits;
  private final RedissonLatchView latches;

  /** A store that owns its {@link Client}. */
  StoreOfKinds(Client client, Eviction eviction) {
    super(client, eviction);
    this.sides = new ReadWriteViews(client, unlocks, scripts);
    this.permits = new PermitViews(client, unlocks, scripts);
    this.latches = new RedissonLatchView(client, unlocks, scripts);
  }

  @Override
  public LeaseStore reads() {
    return sides.reads();
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return sides.readsBeside(write);
  }

  @Override
  public LeaseStore writes() {
    return sides.writes();
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return permits.view(wanted, of);
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return permits.count(name);
  }

  @Override
  public CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return permits.shrink(lease, keep);
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return permits.resize(name, from, to);
  }

  @Override
  public Latches latches() {
    return latches;
  }

  /** Redisson uses the bare name for all kinds. */
  @Override
  public boolean hasOneNameSpace() {
    return true;
  }

  /** Without {@link Guarantee#LATCH_OPENING}: a latch of Redisson's at zero has no key. */
  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = EnumSet.copyOf(super.guarantees());
    all.add(Guarantee.SHARED);
    all.add(Guarantee.PERMITS);
    all.add(Guarantee.LATCH);
    return all;
  }
}
