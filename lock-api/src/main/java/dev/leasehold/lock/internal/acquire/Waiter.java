package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.lease.AcquireSpec;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.Observers;
import dev.leasehold.lock.internal.threads.PendingCall;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An acquisition, from the call to its outcome. */
public final class Waiter extends Claim implements PendingCall<Optional<Lease>> {
  private static final OptionalLong NO_PLACE = OptionalLong.empty();

  /** How long an acquisition waits. */
  public enum Patience {
    /** It asks the store once. */
    NONE,
    /** Its caller calls {@link LockEntry#timeUp} when its time is up. */
    TIMED,
    /** Until it is granted, or the store is out of reach for the store time-out. */
    UNBOUNDED
  }

  /** The entry it was added to. */
  final LockEntry entry;

  final Patience patience;

  /** The Flight Recorder event of this acquisition, if it is recorded. */
  private final Flight.@Nullable Acquiring flight;

  /** The thread that waits for the outcome, if it may make a call to the store itself. */
  final @Nullable CallerThread caller;

  /** Completed once, outside the name's mutex, after {@link #settle}. */
  public final CompletableFuture<Optional<Lease>> outcome = new CompletableFuture<>();

  /**
   * Its contention on the store, which may have been another waiter's before; guarded by the name's
   * mutex.
   */
  AcquireLoop loop;

  /**
   * The handle of a re-entry that waits for its lease to be extended, and that is released if the
   * waiter leaves; guarded by the name's mutex.
   */
  @Nullable LeaseHandle growing;

  /**
   * Whether others in this process held or wanted the lock when it came; guarded by the name's
   * mutex.
   */
  boolean queued;

  /** Whether the store answered that the lock is held; guarded by the name's mutex. */
  boolean refused;

  /**
   * How often it has recalled a lease, to ask again once the holder may have given it back: if it
   * waits, only a refusal that did so counts, and only the first one. Guarded by the name's mutex.
   */
  int recalls;

  /**
   * Whether its refusal may be due to an unsettled token of this process; guarded by the name's
   * mutex.
   */
  public boolean doubtful;

  /**
   * Whether its time is up, and it waits only for its first answer; guarded by the name's mutex.
   */
  boolean endsAtAnswer;

  /** Its outcome, once it is decided, with the lease or the failure; see {@link #settle}. */
  private @Nullable Outcome decided;

  private @Nullable Lease lease;
  private @Nullable LockException failure;

  /** Whether the outcome is in Flight Recorder; of the thread that records it. */
  private boolean recorded;

  /** The list that it is in, and its neighbors there; of {@link WaiterList}. */
  @Nullable WaiterList list;

  @Nullable Waiter previous;
  @Nullable Waiter next;

  /**
   * Creates a waiter, which {@link LockEntry#enter} then adds to its entry.
   *
   * @param caller whose thread may make a call to the store; null if none may
   */
  @SuppressWarnings("NullAway.Init") // the loop: it is there once the waiter has entered
  public Waiter(
      LockEntry entry,
      Object owner,
      LockOptions options,
      AcquireSpec spec,
      Patience patience,
      long arrived,
      @Nullable CallerThread caller,
      Observers observers) {
    super(owner, options, spec, arrived, observers);
    this.entry = entry;
    this.patience = patience;
    this.caller = caller;
    this.flight = Flight.RECORDER.acquiring(entry.monitor().kind(), entry.name());
  }

  @Override
  public CompletableFuture<Optional<Lease>> outcome() {
    return outcome;
  }

  @Override
  public void timeUp() {
    entry.timeUp(this);
  }

  /** Makes the store call that was offered to this thread, if any. */
  public void callTheStore(@Nullable Runnable onInterrupt) {
    if (caller != null) {
      caller.run(outcome, onInterrupt);
    }
  }

  /**
   * Returns what is left of a wait, of which the thread may have spent a part in its store call.
   */
  public Duration left(Duration wait) {
    return caller == null ? wait : wait.minusNanos(Math.max(0, entry.monitor().now() - arrived));
  }

  /** Ends its wait at its first answer. Returns whether it still waits. */
  public boolean stillWaitsForAnswer() {
    return entry.endsAtAnswer(this);
  }

  /**
   * Leaves the queue. Returns true if it had no outcome yet; completing its future is then left to
   * the caller.
   */
  public boolean leave() {
    return entry.giveUp(this);
  }

  /** Also true if the thread was interrupted during its store call, which gave it up. */
  @Override
  public boolean giveUp() {
    boolean ended = leave() || isGivenUp();
    if (ended) {
      recorded();
    }
    return ended;
  }

  /**
   * Creates the request to the store.
   *
   * @param repeated whether the store was asked before with the same key
   * @param waited the time since the first request with this key
   */
  AcquireRequest request(
      LeaseKey key, IfHeld ifHeld, boolean repeated, Duration waited, int handOvers) {
    Duration ttl = LeaseTimes.ttl(options);
    Duration longest = options.waitStrategy().longest();
    return new AcquireRequest(
        key, ttl, ifHeld, repeated, options.atLeast(), waited, handOvers, key, longest, NO_PLACE);
  }

  boolean waits() {
    return patience != Patience.NONE;
  }

  /**
   * Returns whether it may end without a lease, but has not seen a holder yet; guarded by the
   * name's mutex.
   */
  boolean lacksEvidence() {
    return patience != Patience.UNBOUNDED && !sawHolder && !isServed();
  }

  /** Returns whether the failure of a request that was sent at this time is its outcome. */
  boolean endsWith(long sentAt) {
    return !waits() || (endsAtAnswer && arrived - sentAt <= 0);
  }

  /**
   * Returns whether it waits without a time limit, and the store has been unusable for it for as
   * long as the store time-out.
   */
  boolean isOutOfPatience() {
    Monitor monitor = entry.monitor();
    return patience == Patience.UNBOUNDED
        && growing == null
        && monitor.store().uselessFor(arrived).compareTo(monitor.services().config().storeTimeout())
            >= 0;
  }

  /** Returns whether one request to the store can serve both waiters. */
  boolean asksAs(Waiter other) {
    return waits()
        && other.waits()
        && spec.isAsGoodAs(other.spec)
        && options.lease().equals(other.options.lease())
        && options.atLeast().equals(other.options.atLeast());
  }

  /** Returns whether the outcome is decided; guarded by the name's mutex. */
  boolean isSettled() {
    return decided != null;
  }

  /** Returns whether it was given up before it had an outcome; guarded by the name's mutex. */
  boolean isGivenUp() {
    return decided == Outcome.CANCELLED;
  }

  /** Returns whether it needs no lease of its own any more; guarded by the name's mutex. */
  boolean isServed() {
    return decided != null || growing != null;
  }

  /**
   * Decides the outcome. Returns true for one caller only. Guarded by the name's mutex.
   *
   * @param granted the lease, if it is granted
   * @param why the failure, if it failed
   */
  boolean settle(Outcome how, @Nullable Lease granted, @Nullable LockException why) {
    if (decided != null) {
      return false;
    }
    decided = how;
    lease = granted;
    failure = why;
    return true;
  }

  /** Returns the outcome as listeners receive it. Guarded by the name's mutex. */
  AcquisitionResult result(Outcome how, Duration waited) {
    return new AcquisitionResult(how, isContended(how), waited, Optional.ofNullable(failure));
  }

  private boolean isContended(Outcome how) {
    return queued || refused || how == Outcome.REFUSED;
  }

  /**
   * Records the outcome in Flight Recorder. Called by a thread that has seen the outcome: the
   * caller's if possible.
   */
  public void recorded() {
    Outcome how = decided;
    if (flight != null && how != null && !recorded) {
      recorded = true;
      flight.end(how, isContended(how));
    }
  }

  /** Completes the future with the outcome. A caller that gave up needs no notification. */
  void complete() {
    if (failure != null) {
      outcome.completeExceptionally(failure);
    } else if (decided != Outcome.CANCELLED) {
      outcome.complete(Optional.ofNullable(lease));
    }
  }
}
