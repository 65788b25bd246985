package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.acquire.RequestState.Effect;
import dev.leasehold.lock.internal.calls.BackgroundReleases;
import dev.leasehold.lock.internal.calls.Lingering;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.lease.Recall;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.spi.LeaseKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The token that a waiter asks with, from its first request until a lease has it or it is
 * withdrawn. Guarded by the name's mutex.
 */
final class RequestToken {
  private final Monitor monitor;
  private final StoreOperations store;
  private @Nullable LeaseKey key;
  private @Nullable Recall recall;

  RequestToken(Monitor monitor, StoreOperations store) {
    this.monitor = monitor;
    this.store = store;
  }

  boolean isNone() {
    return key == null;
  }

  /** Returns the key, which is created for these options if there is none. */
  LeaseKey key(LockOptions options) {
    LeaseKey mine = key;
    if (mine == null) {
      mine = store.freshLease(monitor.name());
      Lingering lingering = store.lingering();
      if (lingering != null && lingering.appliesTo(options)) {
        recall = Recall.of(monitor, store, lingering, mine);
        mine = recall.key();
      }
      key = mine;
    }
    return mine;
  }

  /** Returns null if the lease will not be kept after a release. */
  @Nullable Recall recall() {
    return recall;
  }

  /** From now on the lease has it. */
  void granted() {
    key = null;
    recall = null;
  }

  /** No waiter needs it. The answer to its request may still be missing. */
  void left() {
    if (recall != null) {
      recall.end();
    }
  }

  /** Withdraws it. It is never used again, whatever the result; then the action runs. */
  void withdraw(Effect.Withdraw what, Runnable then) {
    LeaseKey mine = key;
    left();
    granted();
    if (mine == null) { // creating one is what failed
      then.run();
    } else {
      monitor.after(() -> withdraw(mine, what, then));
    }
  }

  private void withdraw(LeaseKey mine, Effect.Withdraw what, Runnable then) {
    BackgroundReleases later = store.releases();
    CompletableFuture<?> left =
        what.leave() ? store.leave(mine) : CompletableFuture.completedFuture(null);
    left.whenComplete(
        (done, failure) -> {
          if (failure != null && StoreCalls.mayHaveRun(StoreCalls.typed(failure))) {
            later.leave(store, mine);
          }
          if (what.release()) {
            later.add(store, mine);
          }
          monitor.locked(then);
        });
  }
}
