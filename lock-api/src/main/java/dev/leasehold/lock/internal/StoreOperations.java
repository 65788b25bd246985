package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The store's operations as the engine calls them: each by {@link StoreCalls}, so that it ends and
 * fails as told there. Batches of renewals go by {@link Renewals}.
 *
 * @param releases for tokens that nobody waits for any more
 */
record StoreOperations(
    LeaseStore store, StoreCalls calls, BackgroundReleases releases, Tokens tokens) {

  /** The same by another view of the store. */
  StoreOperations over(LeaseStore view) {
    return new StoreOperations(view, calls, releases, tokens);
  }

  /** A token for an acquisition of this name. */
  LeaseKey freshKey(String name) {
    return tokens.fresh(name);
  }

  CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
    return calls.send(request.key().name(), "acquire", () -> store.acquire(request));
  }

  CompletableFuture<Watch> watch(LeaseKey waiter, Runnable woken) {
    return calls.send(waiter.name(), "watch", () -> store.watch(waiter, woken));
  }

  CompletableFuture<?> leave(LeaseKey waiter) {
    return calls.send(waiter.name(), "leave", () -> store.leave(waiter));
  }

  /** Renews one lease. */
  CompletableFuture<RenewResult> renew(RenewRequest request) {
    return calls.send(request.key().name(), "renew", () -> store.renew(List.of(request)).get(0));
  }

  /** Gives a lease back: kept for what is left of its minimum, if anything is. */
  CompletableFuture<ReleaseResult> release(LeaseKey lease, Duration rest) {
    return calls.send(lease.name(), "release", () -> Minimum.giveBack(store, lease, rest));
  }

  /** Gives a lease back, and says how many numbers of its run were used. */
  CompletableFuture<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return calls.send(lease.name(), "release", () -> store.release(lease, run));
  }

  CompletableFuture<Optional<StoredLease>> inspect(String name) {
    return calls.send(name, "inspect", () -> store.inspect(name));
  }
}
