package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;

/** A {@link MapLeaseStore} that has semaphores too. */
final class MapStoreOfKinds extends MapLeaseStore implements PermitStore {
  private final MapPermits permits;

  MapStoreOfKinds(ConcurrentMap<String, Held> locks, MapPermits permits) {
    super(locks);
    this.permits = permits;
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
  public CompletionStage<?> resize(String name, int from, int to) {
    return permits.resize(name, from, to);
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = new HashSet<>(super.guarantees());
    all.add(Guarantee.PERMITS);
    return all;
  }
}
