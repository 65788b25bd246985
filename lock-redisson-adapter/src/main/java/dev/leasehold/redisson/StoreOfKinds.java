package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.SharedLeaseStore;
import dev.leasehold.redis.common.Eviction;
import java.util.EnumSet;
import java.util.Set;

/** Plain locks, and the kinds that Redisson has beside them. Thread-safe. */
final class StoreOfKinds extends PlainStore implements SharedLeaseStore {
  private final ReadWriteViews sides;

  /** A store that owns its {@link Client}. */
  StoreOfKinds(Client client, Eviction eviction) {
    super(client, eviction);
    this.sides = new ReadWriteViews(client, unlocks, scripts);
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

  /** Redisson keeps all kinds under the bare name. */
  @Override
  public boolean hasOneNameSpace() {
    return true;
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = EnumSet.copyOf(super.guarantees());
    all.add(Guarantee.SHARED);
    return all;
  }
}
