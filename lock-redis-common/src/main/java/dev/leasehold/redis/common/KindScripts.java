package dev.leasehold.redis.common;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A kind of lock by its scripts, for {@link KindView}. */
interface KindScripts {
  /** Acquires a lock; the reply is for {@link #acquired}. */
  ScriptRequest acquire(AcquireRequest request, Publishing how);

  /** Parses the reply to {@link #acquire}. */
  AcquireResult acquired(AcquireRequest request, Object reply);

  /** Releases a lock, or passes it on; the reply is for {@link Replies#release}. */
  ScriptRequest release(LeaseKey lease, Publishing how);

  /** As {@link #release}, for a lease with unused fencing numbers. */
  ScriptRequest release(LeaseKey lease, FenceRun run, Publishing how);

  /** Removes a waiter from the queue; call {@link #left} when a reply arrives. */
  ScriptRequest leave(LeaseKey waiter, Publishing how);

  /** The reply to {@link #leave} has arrived. */
  default void left(LeaseKey waiter) {}

  /** Renews leases; each reply is for {@link Replies#renew}. */
  ScriptRequest renew(List<RenewRequest> batch);

  /** Looks up a holder, if there is a single one; the reply is for {@link Replies#inspect}. */
  default Optional<ScriptRequest> inspection(String name) {
    return Optional.empty();
  }

  /** What it guarantees for this kind. The set is the caller's. */
  default Set<Guarantee> guaranteed() {
    Set<Guarantee> all = FencedGuarantees.ofKinds();
    all.add(Guarantee.FENCING);
    return all;
  }
}
