package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.acquire.LockTable;
import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.CallerThreads;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.handle.CombinedRelease;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import dev.leasehold.lock.spi.MultiLockStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Several names of one manager, whose store acquires them in one step.
 *
 * @param options without hand-overs: numbers reserved before would be smaller than the token drawn
 *     for all
 */
public record CombinedNames(
    List<String> names, LockOptions options, LockTable table, MultiLockStore store) {
  /** Returns null if they must be acquired one after another. */
  public static @Nullable CombinedNames of(
      List<String> names, LockOptions options, LockTable table) {
    boolean fits =
        names.size() > 1
            && options.atLeast().isZero() // its rest is kept for each by itself
            && !table
                .services()
                .promises(Guarantee.FAIR); // a request for several does not join the queue
    if (!fits
        || !(table.store().store() instanceof MultiLockStore several)
        || !several.takesTogether(names)) {
      return null;
    }
    LockOptions own = options.toBuilder().handOver(HandOver.none()).build();
    return new CombinedNames(names, own, table, several);
  }

  StoreOperations operations() {
    return table.store();
  }

  /** Makes a single attempt for the names at these places, beside those already acquired. */
  public CompletableFuture<Round<Lease>> take(
      Object owner, List<Integer> places, List<Lease> beside) {
    return new CombinedRequest(this, places, beside).take(owner);
  }

  /** Releases parts that were acquired here, by one call as far as possible. */
  public List<CompletableFuture<Void>> giveBack(List<Lease> parts, @Nullable CallerThread caller) {
    CombinedRelease all = new CombinedRelease(operations(), store);
    try {
      return parts.stream().map(part -> AllLeases.giveBack(part, all)).toList();
    } finally {
      all.go(caller);
    }
  }

  /** Returns the threads that may make a call to the store. */
  CallerThreads callers() {
    return operations().calls().callers();
  }

  <T> CompletableFuture<T> onExecutor(CompletableFuture<T> inner) {
    return table.services().events().handOut(inner);
  }

  /** Returns whether they must be requested one by one: the store refused the combination. */
  static boolean isRefused(Throwable failure) {
    return failure instanceof LockStoreException store && store.kind() == Kind.REFUSED;
  }
}
