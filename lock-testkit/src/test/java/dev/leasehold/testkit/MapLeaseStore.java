package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A whole store on a map that several managers share: it shows how small one can be. */
class MapLeaseStore extends BlockingLeaseStore implements MinimumHold {
  record Held(String token, long end, long fence) {
    Duration left() {
      return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    Held left(LeaseKey tombstone, long newEnd) {
      return new Held(tombstone.token(), newEnd - end < 0 ? newEnd : end, fence);
    }

    Held longer(long newEnd) {
      return new Held(token, newEnd - end > 0 ? newEnd : end, fence);
    }
  }

  private static final AtomicLong FENCES = new AtomicLong();
  private final ConcurrentMap<String, Held> locks; // each operation is one atomic step of it

  MapLeaseStore(ConcurrentMap<String, Held> locks) {
    this.locks = locks;
  }

  static Optional<Held> live(Map<String, Held> locks, String name) {
    return Optional.ofNullable(locks.get(name)).filter(held -> !held.left().isZero());
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    String token = request.key().token();
    long end = System.nanoTime() + request.ttl().toNanos();
    Held fresh = new Held(token, end, FENCES.incrementAndGet());
    Held now =
        locks.merge(
            request.key().name(),
            fresh,
            (held, f) ->
                held.left().isZero() ? f : held.token().equals(token) ? held.longer(end) : held);
    return now.token().equals(token)
        ? new AcquireResult.Granted(OptionalLong.of(now.fence()), request.ttl())
        : new AcquireResult.Held(now.left());
  }

  @Override
  protected RenewResult renewNow(RenewRequest request) {
    long end = System.nanoTime() + request.ttl().toNanos();
    return change(request.key(), held -> Optional.of(held.longer(end)))
        ? RenewResult.RENEWED
        : RenewResult.NOT_OWNER;
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    return change(lease, held -> Optional.empty())
        ? ReleaseResult.RELEASED
        : ReleaseResult.NOT_OWNER;
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    long end = System.nanoTime() + rest.toNanos();
    LeaseKey tombstone = new LeaseKey(lease.name(), "-" + lease.token());
    change(lease, held -> Optional.of(held.left(tombstone, end)));
    return CompletableFuture.completedFuture(
        mine(tombstone).isPresent() ? ReleaseResult.KEPT : ReleaseResult.NOT_OWNER);
  }

  /** One step on a hold that is this lease's own and not over; false if it is not there. */
  private boolean change(LeaseKey lease, Function<Held, Optional<Held>> step) {
    AtomicBoolean done = new AtomicBoolean();
    locks.computeIfPresent(
        lease.name(),
        (name, held) -> {
          done.set(held.token().equals(lease.token()) && !held.left().isZero());
          return done.get() ? step.apply(held).orElse(null) : held;
        });
    return done.get();
  }

  private Optional<Held> mine(LeaseKey key) {
    return live(locks, key.name()).filter(held -> held.token().equals(key.token()));
  }

  @Override
  protected Optional<StoredLease> inspectNow(String name) {
    return live(locks, name)
        .map(held -> new StoredLease(held.token(), held.left(), OptionalLong.of(held.fence())));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return Set.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.FENCING,
        Guarantee.MINIMUM_HOLD);
  }

  @Override
  public void close() {}
}
