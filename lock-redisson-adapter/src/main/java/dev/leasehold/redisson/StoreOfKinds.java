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
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Plain locks, and Redisson's other kinds. Thread-safe. */
final class StoreOfKinds extends RLockStore implements ReadWriteStore, PermitStore, LatchStore {
  private final RedissonLatchView latches;

  /** A store that owns its {@link Client}. */
  StoreOfKinds(Client client, Eviction eviction) {
    super(client, eviction);
    this.latches = new RedissonLatchView(client, unlocks, scripts);
  }

  @Override
  public LeaseStore reads() {
    return side(Side.READ, "");
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return side(Side.READ, SideView.writer(write));
  }

  @Override
  public LeaseStore writes() {
    return side(Side.WRITE, "");
  }

  private LeaseStore side(Side side, String beside) {
    return new SideView(client, unlocks, scripts, side, beside);
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return new PermitView(client, unlocks, scripts, wanted, of);
  }

  /** Of all permits of a name, however many. */
  private PermitView permits() {
    return new PermitView(client, unlocks, scripts, 1, 1);
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return permits().count(name);
  }

  @Override
  public CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return permits().shrink(lease, keep);
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return permits().resize(name, from, to);
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
