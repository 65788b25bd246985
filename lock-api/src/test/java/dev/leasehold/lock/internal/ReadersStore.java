package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Readers in memory: each lease is granted. Writers are there only to be asked for. */
final class ReadersStore implements ReadWriteStore {
  final MapStore map;

  /** Until it is complete, questions of readers hang. */
  volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

  /** Fences of leases that were granted and not given back. */
  private final Set<Long> live = ConcurrentHashMap.newKeySet();

  ReadersStore(Ticker ticker) {
    map = new MapStore(ticker);
  }

  /** Whether the lease with this token is still the store's. */
  boolean isLive(long fence) {
    return live.contains(fence);
  }

  private static LeaseKey own(LeaseKey key) {
    return new LeaseKey(key.name() + "/" + key.token(), key.token());
  }

  private final LeaseStore reads =
      new LeaseStore() {
        @Override
        public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
          return gate.thenCompose(
                  open ->
                      map.acquire(
                          new AcquireRequest(own(request.key()), request.ttl(), request.ifHeld())))
              .thenApply(
                  result -> {
                    if (result instanceof AcquireResult.Granted granted) {
                      live.add(granted.fence().orElseThrow());
                    }
                    return result;
                  });
        }

        @Override
        public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
          return map.renew(
              batch.stream().map(r -> new RenewRequest(own(r.key()), r.ttl())).toList());
        }

        @Override
        public CompletionStage<ReleaseResult> release(LeaseKey lease) {
          map.inspect(own(lease).name())
              .thenAccept(held -> held.ifPresent(h -> live.remove(h.fence().orElseThrow())));
          return map.release(own(lease));
        }

        @Override
        public CompletionStage<Optional<StoredLease>> inspect(String name) {
          return map.inspect(name);
        }

        @Override
        public Set<Guarantee> guarantees() {
          return map.guarantees();
        }

        @Override
        public void close() {}
      };

  @Override
  public LeaseStore reads() {
    return reads;
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return reads;
  }

  @Override
  public LeaseStore writes() {
    return map;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return map.acquire(request);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return map.renew(batch);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return map.release(lease);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return map.inspect(name);
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = new HashSet<>(map.guarantees());
    all.remove(Guarantee.MINIMUM_HOLD);
    all.add(Guarantee.SHARED);
    return all;
  }

  @Override
  public void close() {
    map.close();
  }
}
