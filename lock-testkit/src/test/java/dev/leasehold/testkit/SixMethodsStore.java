package dev.leasehold.testkit;

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
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** What a store must have, and nothing else: no tokens that fence, no wake-ups, no other kind. */
final class SixMethodsStore implements LeaseStore {
  record Held(String token, long end) {
    Duration left() {
      return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    Held longer(long newEnd) {
      return newEnd - end > 0 ? new Held(token, newEnd) : this;
    }
  }

  private final ConcurrentMap<String, Held> locks; // each operation is one atomic step of it

  SixMethodsStore(ConcurrentMap<String, Held> locks) {
    this.locks = locks;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    String token = request.key().token();
    Held fresh = new Held(token, endOf(request.ttl()));
    Held now =
        locks.merge(
            request.key().name(),
            fresh,
            (held, f) ->
                held.left().isZero() ? f : held.token.equals(token) ? held.longer(f.end) : held);
    return answer(
        now.token.equals(token)
            ? new AcquireResult.Granted(OptionalLong.empty(), request.ttl())
            : new AcquireResult.Held(now.left()));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(this::renewOne).toList();
  }

  private CompletionStage<RenewResult> renewOne(RenewRequest request) {
    LeaseKey lease = request.key();
    long end = endOf(request.ttl());
    boolean done = change(lease, held -> Optional.of(held.longer(end)));
    return answer(done ? RenewResult.RENEWED : RenewResult.NOT_OWNER);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    boolean done = change(lease, held -> Optional.empty());
    return answer(done ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER);
  }

  /** One step on a hold that is this lease's own and not over; false if it is not there. */
  private boolean change(LeaseKey lease, Function<Held, Optional<Held>> step) {
    AtomicBoolean done = new AtomicBoolean();
    locks.computeIfPresent(
        lease.name(),
        (name, held) -> {
          done.set(held.token.equals(lease.token()) && !held.left().isZero());
          return done.get() ? step.apply(held).orElse(null) : held;
        });
    return done.get();
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return answer(
        Optional.ofNullable(locks.get(name))
            .filter(held -> !held.left().isZero())
            .map(held -> new StoredLease(held.token, held.left(), OptionalLong.empty())));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.CLOCK_INDEPENDENT);
  }

  @Override
  public void close() {}

  private static long endOf(Duration ttl) {
    return System.nanoTime() + ttl.toNanos();
  }

  private static <T> CompletionStage<T> answer(T now) {
    return CompletableFuture.completedFuture(now);
  }
}
