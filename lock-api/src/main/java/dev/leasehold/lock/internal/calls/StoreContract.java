package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Describes how a store, which may be a user's own, breaks the contract of its interface. */
public final class StoreContract {
  private StoreContract() {}

  /**
   * Returns a store's guarantees.
   *
   * @throws NullPointerException if the store returns null
   */
  public static Set<Guarantee> guarantees(LeaseStore store) {
    return Objects.requireNonNull(
        store.guarantees(),
        () ->
            "LeaseStore.guarantees() of "
                + name(store)
                + " returned null: it must return the set of what the store guarantees, which may"
                + " be empty");
  }

  /**
   * Sends a batch of renewals.
   *
   * @throws LockStoreException if the store does not return a stage for each
   */
  public static List<CompletionStage<RenewResult>> renew(
      LeaseStore store, List<RenewRequest> batch) {
    List<CompletionStage<RenewResult>> stages =
        Objects.requireNonNull(store.renew(batch), "the store's stages");
    if (stages.size() != batch.size()) {
      throw new LockStoreException(
          Kind.UNAVAILABLE,
          "LeaseStore.renew of "
              + name(store)
              + " returned "
              + count(stages.size(), "stage")
              + " for "
              + count(batch.size(), "request")
              + ": it must return one for each, in order");
    }
    return stages;
  }

  /** Returns the reason why a grant by a store has no fencing token. */
  public static String withoutFence(StoreOperations by) {
    LeaseStore store = by.store();
    return by.kind() != LockKind.SEMAPHORE && guarantees(store).contains(Guarantee.FENCING)
        ? "this lease has no fencing token: "
            + name(store)
            + " promises FENCING, but its LeaseStore.acquire granted the lease without a fence: an"
            + " AcquireResult.Granted must have one, or guarantees() must not contain FENCING"
        : "this lease has no fencing token: permits have one only where the"
            + " manager promises SLOTS, everything else only where it promises FENCING"
            + " (see LockManager.guarantees())";
  }

  private static String name(LeaseStore store) {
    return Quoted.text(store.getClass().getName());
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
