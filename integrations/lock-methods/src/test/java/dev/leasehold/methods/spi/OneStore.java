package dev.leasehold.methods.spi;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A store of one lock in memory, whose leases end by their manager's clock alone. */
final class OneStore implements LeaseStore {
  private final AtomicReference<String> token = new AtomicReference<>("");
  private final AtomicInteger grants = new AtomicInteger();

  boolean isHeld() {
    return !token.get().isEmpty();
  }

  int grants() {
    return grants.get();
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    if (!token.compareAndSet("", request.key().token())) {
      return done(new AcquireResult.Held(Duration.ofMillis(20)));
    }
    OptionalLong fence = OptionalLong.of(grants.incrementAndGet() * 100L);
    return done(new AcquireResult.Granted(fence, request.handOvers(), request.ttl()));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(one -> done(RenewResult.RENEWED)).toList();
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return done(
        token.compareAndSet(lease.token(), "") ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return done(Optional.empty());
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return Set.of(Guarantee.OWNED, Guarantee.FENCING);
  }

  @Override
  public void close() {}
}
