package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.acquire.Cells;
import dev.leasehold.lock.internal.calls.Caller;
import dev.leasehold.lock.internal.calls.Callers;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.handle.Returning;
import dev.leasehold.lock.internal.lease.Share;
import dev.leasehold.lock.internal.several.Step.Round;
import dev.leasehold.lock.spi.SeveralStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Several names of one manager, whose store takes them in one step.
 *
 * @param options without hand-overs: numbers that were set aside before would be smaller than the
 *     token that is drawn for all
 */
public record Together(
    List<String> names,
    LockOptions options,
    Cells cells,
    Share share,
    StoreOperations operations,
    SeveralStore store) {

  /** Null where they have to be taken one after another. */
  public static @Nullable Together of(
      List<String> names, LockOptions options, Cells cells, Share share, StoreOperations store) {
    boolean fits =
        names.size() > 1
            && options.atLeast().isZero() // its rest is kept for each by itself
            && !cells.promises(Guarantee.FAIR); // who asks for many at once does not stand in line
    return fits && store.store() instanceof SeveralStore several && several.takesTogether(names)
        ? new Together(names, withoutHandOvers(options), cells, share, store, several)
        : null;
  }

  private static LockOptions withoutHandOvers(LockOptions options) {
    return options.toBuilder().handOver(HandOver.none()).build();
  }

  /** Asks once for the names at these places, beside what their owner has got of the others. */
  public CompletableFuture<Round<Lease>> take(
      Object owner, List<Integer> places, List<Lease> beside) {
    return new Gathering(this, places, beside).take(owner);
  }

  /** Gives parts back that were taken here, by one call as far as they can go so. */
  public List<CompletableFuture<Void>> giveBack(List<Lease> parts, @Nullable Caller caller) {
    Returning all = new Returning(operations, store);
    try {
      return parts.stream().map(part -> AllLeases.giveBack(part, all)).toList();
    } finally {
      all.go(caller);
    }
  }

  /** Those whose thread may make a call to the store. */
  Callers callers() {
    return operations.calls().callers();
  }

  <T> CompletableFuture<T> onExecutor(CompletableFuture<T> inner) {
    return cells.events().handOut(inner);
  }

  /** Whether they have to be asked for one by one: the store itself refused to take them so. */
  static boolean isRefused(Throwable failure) {
    return failure instanceof LockStoreException store && store.kind() == Kind.REFUSED;
  }
}
