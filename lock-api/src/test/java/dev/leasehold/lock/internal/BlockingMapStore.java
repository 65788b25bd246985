package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A blocking store over a {@link MapStore}, whose calls subclasses hold up. */
abstract class BlockingMapStore extends BlockingLeaseStore {
  final MapStore store;

  BlockingMapStore(MapStore store) {
    this.store = store;
  }

  private static <T> T join(CompletionStage<T> done) {
    return done.toCompletableFuture().join();
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    return join(store.acquire(request));
  }

  @Override
  protected RenewResult renewNow(RenewRequest request) {
    return join(store.renew(List.of(request)).get(0));
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    return join(store.release(lease));
  }

  @Override
  protected Optional<StoredLease> inspectNow(String name) {
    return join(store.inspect(name));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return store.guarantees();
  }

  @Override
  public void close() {
    store.close();
  }
}
