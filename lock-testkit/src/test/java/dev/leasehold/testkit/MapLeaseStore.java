package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** A whole store on a concurrent map that several managers share: it shows how small one can be. */
final class MapLeaseStore extends BlockingLeaseStore {
  record Held(String token, long end, long fence) {
    Duration left() {
      return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    boolean isOf(LeaseKey key) {
      return token.equals(key.token());
    }
  }

  private static final AtomicLong FENCES = new AtomicLong();
  private final Map<String, Held> locks;

  /** On a {@link java.util.concurrent.ConcurrentMap}: each operation is one atomic step of it. */
  MapLeaseStore(Map<String, Held> locks) {
    this.locks = locks;
  }

  static Optional<Held> live(Map<String, Held> locks, String name) {
    return Optional.ofNullable(locks.get(name)).filter(held -> !held.left().isZero());
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    LeaseKey key = request.key();
    long end = System.nanoTime() + request.ttl().toNanos();
    Held now =
        locks.compute(
            key.name(),
            (name, held) -> {
              if (held == null || held.left().isZero()) {
                return new Held(key.token(), end, FENCES.incrementAndGet());
              }
              return held.isOf(key) ? new Held(key.token(), end, held.fence()) : held;
            });
    return now.isOf(key)
        ? new AcquireResult.Granted(OptionalLong.of(now.fence()), request.ttl())
        : new AcquireResult.Held(now.left());
  }

  @Override
  protected RenewResult renewNow(RenewRequest request) {
    LeaseKey key = request.key();
    long end = System.nanoTime() + request.ttl().toNanos();
    Held now =
        locks.computeIfPresent(
            key.name(),
            (name, held) ->
                held.left().isZero()
                    ? null
                    : held.isOf(key) && end - held.end() > 0
                        ? new Held(held.token(), end, held.fence())
                        : held);
    return now != null && now.isOf(key) ? RenewResult.RENEWED : RenewResult.NOT_OWNER;
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    Optional<Held> mine = live(locks, lease.name()).filter(held -> held.isOf(lease));
    boolean freed = mine.isPresent() && removeOf(lease);
    return freed ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER;
  }

  private boolean removeOf(LeaseKey lease) {
    boolean[] removed = new boolean[1];
    locks.computeIfPresent(
        lease.name(),
        (name, held) -> {
          removed[0] = held.isOf(lease);
          return removed[0] ? null : held;
        });
    return removed[0];
  }

  @Override
  protected Optional<StoredLease> inspectNow(String name) {
    return live(locks, name)
        .map(held -> new StoredLease(held.token(), held.left(), OptionalLong.of(held.fence())));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return Set.of(
        Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.CLOCK_INDEPENDENT, Guarantee.FENCING);
  }

  @Override
  public void close() {}
}
