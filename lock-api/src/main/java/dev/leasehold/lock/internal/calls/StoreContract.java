package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.threads.Outbox;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

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
  @SuppressWarnings("NullAway") // a user's store may return null all the same
  public static List<CompletionStage<RenewResult>> renew(
      LeaseStore store, List<RenewRequest> batch) {
    List<CompletionStage<RenewResult>> stages = store.renew(batch);
    if (stages != null && stages.size() == batch.size()) {
      return stages;
    }
    if (stages != null) { // which stage is for which request is unknown, so all requests fail
      stages.forEach(StoreContract::cancel);
    }
    throw new LockStoreException(
        Kind.UNAVAILABLE,
        "LeaseStore.renew of "
            + name(store)
            + " returned "
            + (stages == null ? "null" : count(stages.size(), "stage"))
            + " for "
            + count(batch.size(), "request")
            + ": it must return one for each, in order");
  }

  /** Returns the failure of a combined release that a store answered with too few results. */
  public static LockStoreException wrongReleases(LeaseStore store, int results, int leases) {
    return new LockStoreException(
        Kind.UNAVAILABLE,
        "MultiLockStore.releaseAll of "
            + name(store)
            + " answered with "
            + count(results, "result")
            + " for "
            + count(leases, "lease")
            + ": it must answer with one for each, in order");
  }

  /** Returns the failure of one of the leases of a combined release: its result is null. */
  public static LockStoreException noRelease(LeaseStore store, LeaseKey lease) {
    return new LockStoreException(
        Kind.UNAVAILABLE,
        "MultiLockStore.releaseAll of "
            + name(store)
            + " answered with null for the lease of "
            + Quoted.name(lease.name())
            + ": it must answer with a result for each");
  }

  private static void cancel(@Nullable CompletionStage<?> stage) {
    if (stage != null) {
      Outbox.quietly(() -> stage.toCompletableFuture().cancel(true));
    }
  }

  /**
   * Returns the reason why a grant by a store has no fencing token.
   *
   * @param guaranteed what the store promised at the start: it is not asked again for a message
   */
  public static String withoutFence(StoreOperations by, Set<Guarantee> guaranteed) {
    Guarantee fenced = by.kind() == LockKind.SEMAPHORE ? Guarantee.SLOTS : Guarantee.FENCING;
    return guaranteed.contains(fenced)
        ? "this lease has no fencing token: "
            + name(by.store())
            + " promises "
            + fenced
            + ", but its LeaseStore.acquire granted the lease without a fence: an"
            + " AcquireResult.Granted must have one, or guarantees() must not contain "
            + fenced
        : "this lease has no fencing token: permits have one only where the"
            + " manager promises SLOTS, everything else only where it promises FENCING"
            + " (see LockManager.guarantees())";
  }

  /**
   * Refuses options that a store can't keep.
   *
   * @throws LockConfigurationException naming the option, the limit and a way out
   */
  public static void checkMinimumHold(
      LockOptions options, LeaseStore store, Set<Guarantee> promised) {
    Duration atLeast = options.atLeast();
    if (atLeast.isZero()) {
      return;
    }
    if (!promised.contains(Guarantee.MINIMUM_HOLD) || !(store instanceof MinimumHold)) {
      throw new LockConfigurationException(
          "a minimum hold (atLeast, lock.at-least) of "
              + Setting.written(atLeast)
              + ": this manager does not promise MINIMUM_HOLD, since its store can't keep a lock"
              + " that was released; "
              + KnownBackends.promising(Guarantee.MINIMUM_HOLD)
              + " can. Use one of them, or no minimum");
    }
    store.checkLongest("a minimum hold (atLeast, lock.at-least)", atLeast);
  }

  /** Returns the name of a store's class, for messages. */
  static String name(LeaseStore store) {
    return Quoted.text(store.getClass().getName());
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
