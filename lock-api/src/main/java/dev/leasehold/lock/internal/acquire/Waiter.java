package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.MinimumHolds;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.lease.AcquireSpec;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.name.AcquisitionNotifier;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One acquisition, from the call to its outcome. */
public final class Waiter extends Claim {
  private static final OptionalLong NO_PLACE = OptionalLong.empty();

  /** How long it waits. */
  public enum Patience {
    /** It asks once. */
    NONE,
    /** Its caller calls {@link LockEntry#timeUp} in time. */
    TIMED,
    /** Until it is granted, or the store is out of reach for the store time-out. */
    UNBOUNDED
  }

  final Patience patience;

  /** What the flight recording says of it, if it does. */
  private final Flight.@Nullable Acquiring flight;

  /** The thread that waits for it, if it may make a call to the store itself. */
  final @Nullable CallerThread caller;

  /** Completed once, outside the cell's mutex, after {@link #settle}. */
  public final CompletableFuture<Optional<Lease>> outcome = new CompletableFuture<>();

  /** Its contention on the store, which may have been another's before; guarded by the cell. */
  AcquireLoop loop;

  /**
   * The handle of a re-entry that waits for its lease to grow, and that is given back if it leaves;
   * guarded by the cell.
   */
  @Nullable LeaseHandle growing;

  /** Whether others of this process had or wanted the lock when it came; guarded by the cell. */
  boolean queued;

  /** Whether the store said that another has the lock; guarded by the cell. */
  boolean refused;

  /** Whether its refusal may be about a leftover of this process; guarded by the cell. */
  public boolean doubtful;

  /** Whether its time is up, and it only waits for its first answer; guarded by the cell. */
  boolean endsAtAnswer;

  private @Nullable Decision decision;

  /** The list that it is in, and its neighbors there; of {@link WaiterList}. */
  WaiterList.@Nullable Chain chain;

  @Nullable Waiter previous;
  @Nullable Waiter next;

  /**
   * @param caller whose thread may make a call; null if none may
   * @param origin where it was asked for; null if that is not recorded
   */
  public Waiter(
      LockKind kind,
      String name,
      Object owner,
      LockOptions options,
      AcquireSpec spec,
      Patience patience,
      long arrived,
      @Nullable CallerThread caller,
      @Nullable Throwable origin,
      AcquisitionNotifier notifier,
      Function<Waiter, AcquireLoop> contending) {
    super(owner, options, spec, arrived, origin, notifier);
    this.patience = patience;
    this.caller = caller;
    this.flight = Flight.RECORDER.acquiring(kind, name);
    this.loop = contending.apply(this);
  }

  /**
   * What is asked of the store.
   *
   * @param repeated whether it was asked before with the same key
   * @param waited since that was first
   */
  AcquireRequest request(
      LeaseKey key, IfHeld ifHeld, boolean repeated, Duration waited, int handOvers) {
    Duration ttl = MinimumHolds.ttl(options);
    Duration longest = options.waitStrategy().longest();
    return new AcquireRequest(
        key, ttl, ifHeld, repeated, options.atLeast(), waited, handOvers, key, longest, NO_PLACE);
  }

  boolean waits() {
    return patience != Patience.NONE;
  }

  /** Whether it may end empty, and may not yet; guarded by the cell. */
  boolean lacksEvidence() {
    return patience != Patience.UNBOUNDED && !sawHolder && !isServed();
  }

  /** Whether a failure of a question that was sent then is its outcome. */
  boolean endsWith(long sentAt) {
    return !waits() || (endsAtAnswer && arrived - sentAt <= 0);
  }

  /** Whether it has waited without bound, and for so long, for a store of no use. */
  boolean isOutOfPatience(StoreHealth store, Duration storeTimeout) {
    return patience == Patience.UNBOUNDED
        && growing == null
        && store.uselessFor(arrived).compareTo(storeTimeout) >= 0;
  }

  /** Whether one question to the store does for both. */
  boolean asksAs(Waiter other) {
    return waits()
        && other.waits()
        && spec.isAsGoodAs(other.spec)
        && options.lease().equals(other.options.lease())
        && options.atLeast().equals(other.options.atLeast());
  }

  /** Whether the outcome is decided; guarded by the cell. */
  boolean isSettled() {
    return decision != null;
  }

  /** Whether it was given up before it had an outcome; guarded by the cell. */
  boolean isGivenUp() {
    return decision != null && decision.outcome() == Outcome.CANCELLED;
  }

  /** Whether it needs no lease of its own any more; guarded by the cell. */
  boolean isServed() {
    return decision != null || growing != null;
  }

  /** Decides the outcome: true for one caller only. Guarded by the cell. */
  boolean settle(Decision how) {
    if (decision != null) {
      return false;
    }
    decision = how;
    return true;
  }

  /** What is told of a decision. Guarded by the cell. */
  AcquisitionResult result(Decision how, Duration waited) {
    return new AcquisitionResult(
        how.outcome(), isContended(how), waited, Optional.ofNullable(how.failure()));
  }

  private boolean isContended(Decision how) {
    return queued || refused || how.outcome() == Outcome.REFUSED;
  }

  /** Tells the flight recording, by a thread that has seen the outcome: its caller's if it can. */
  public void recorded() {
    Decision how = decision;
    if (flight != null && how != null) {
      flight.end(how.outcome(), isContended(how));
    }
  }

  /** Tells who waits; a caller that gave it up knows. */
  void complete(Decision how) {
    LockException failure = how.failure();
    if (failure != null) {
      outcome.completeExceptionally(failure);
    } else if (how.outcome() != Outcome.CANCELLED) {
      outcome.complete(how.lease());
    }
  }
}
