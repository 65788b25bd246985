package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a view of the store, sent by {@link StoreCalls}, so that each ends and fails as
 * described there. Batches of renewals are sent by {@link Renewals}.
 *
 * @param kind the kind of lock
 * @param releases releases tokens in the background
 * @param lingering how leases are kept after a release; null if they are not
 */
public record StoreOperations(
    LockKind kind,
    LeaseStore store,
    StoreCalls calls,
    BackgroundReleases releases,
    Tokens tokens,
    @Nullable Lingering lingering) {

  /** Returns the operations of another view of the same kind. */
  public StoreOperations over(LeaseStore view) {
    return of(kind, view);
  }

  /** Returns the operations of another kind's view. */
  public StoreOperations of(LockKind other, LeaseStore view) {
    return new StoreOperations(other, view, calls, releases, tokens, null);
  }

  /** Returns a fresh token for an acquisition of this name, as the store prepares it. */
  public LeaseKey freshLease(String name) {
    return store.prepared(freshKey(name));
  }

  /** Returns a fresh token of this name. */
  public LeaseKey freshKey(String name) {
    return tokens.fresh(name);
  }

  /** Sends one operation on a name; {@code operation} is its name in events. */
  public <T> CompletableFuture<T> send(
      String name, String operation, Supplier<? extends CompletionStage<T>> call) {
    return calls.send(kind, name, operation, call);
  }

  /** Sends one that has no answer. */
  public CompletableFuture<?> confirm(
      String name, String operation, Supplier<? extends CompletionStage<?>> call) {
    return calls.confirm(kind, name, operation, call);
  }

  public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
    return send(request.key().name(), "acquire", () -> store.acquire(request));
  }

  public CompletableFuture<Watch> watch(LeaseKey waiter, Runnable woken) {
    return send(waiter.name(), "watch", () -> store.watch(waiter, woken));
  }

  /** Listens for recalls of a lease. */
  public CompletableFuture<Watch> onRecall(LeaseKey lease, RecallStore recalls, Runnable recalled) {
    return send(lease.name(), "watch", () -> recalls.onRecall(lease, recalled));
  }

  /** Asks the holder to give back a lease that can be recalled, unless the refusal has asked. */
  public void recall(String name, Held refusal) {
    if (!refusal.recalled() && store instanceof RecallStore recalls) {
      LeaseKey lease = new LeaseKey(name, refusal.recallable().orElseThrow());
      confirm(name, "recall", () -> recalls.recall(lease));
    }
  }

  public CompletableFuture<?> leave(LeaseKey waiter) {
    return confirm(waiter.name(), "leave", () -> store.leave(waiter));
  }

  /**
   * Withdraws a token: from the queue if it may be there, and whatever it may have been granted.
   * Completes when the store has answered, or is asked again in the background.
   */
  public CompletableFuture<?> withdraw(LeaseKey token, boolean queued, boolean mayHold) {
    CompletableFuture<?> left = queued ? leave(token) : CompletableFuture.completedFuture(null);
    return left.handle(
        (done, failure) -> {
          if (failure != null && StoreCalls.mayHaveRun(StoreCalls.typed(failure))) {
            releases.leave(this, token);
          }
          if (mayHold) {
            releases.add(this, token);
          }
          return done;
        });
  }

  /** Renews one lease. */
  public CompletableFuture<RenewResult> renew(RenewRequest request) {
    return send(
        request.key().name(), "renew", () -> StoreContract.renew(store, List.of(request)).get(0));
  }

  /** Releases a lease, kept for the rest of its minimum hold if there is one. */
  public CompletableFuture<ReleaseResult> release(LeaseKey lease, Duration rest) {
    return send(
        lease.name(),
        "release",
        () -> rest.isZero() ? store.release(lease) : ((MinimumHold) store).keep(lease, rest));
  }

  /** Releases a lease, and returns its unused fencing numbers. */
  public CompletableFuture<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return send(lease.name(), "release", () -> store.release(lease, run));
  }

  /** Releases some permits of a lease. */
  public CompletableFuture<ReleaseResult> shrink(PermitStore permits, LeaseKey lease, int keep) {
    return send(lease.name(), "release", () -> permits.shrink(lease, keep));
  }

  public CompletableFuture<Optional<StoredLease>> inspect(String name) {
    return send(name, "inspect", () -> store.inspect(name));
  }
}
