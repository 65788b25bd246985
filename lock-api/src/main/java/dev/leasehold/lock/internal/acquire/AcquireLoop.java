package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.acquire.RequestState.Effect;
import dev.leasehold.lock.internal.acquire.RequestState.Event;
import dev.leasehold.lock.internal.acquire.RequestState.Phase;
import dev.leasehold.lock.internal.acquire.RequestState.Why;
import dev.leasehold.lock.internal.acquire.UnsettledTokens.Verdict;
import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.calls.Lingering;
import dev.leasehold.lock.internal.calls.RequestSender;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.lease.Recall;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.Pauses;
import dev.leasehold.lock.internal.name.WakeUps;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A waiter's contention for the lock on the store, with one token throughout: it asks and, while
 * refused, pauses until a wake-up, the end of the holder's lease or the wait strategy's pause, and
 * asks again. {@link RequestState} decides; this class performs the effects.
 *
 * <p>Every method runs under the name's mutex. Calls to the store are queued with {@link
 * Monitor#after}, and run after the mutex is released.
 */
public final class AcquireLoop extends Requester<AcquireResult> {
  /** How long this process holds back after it woke a waiter of another one. */
  private static final Duration COURTESY = Duration.ofMillis(1);

  private final Monitor monitor;
  private final Holds holds;
  private final UnsettledTokens unsettled;
  private final Waiters waiters;
  private final StoreOperations store;
  private final RequestSender sender;

  private Waiter waiter;
  private final WakeUps wakeUps;
  private final UnsettledTokens.Evidence evidence;

  /** Created for the first pause. */
  private @Nullable Pauses pauses;

  /** Null if the lease will not be kept after a release. */
  private @Nullable Recall recall;

  private @Nullable Held lastRefusal;
  private long askedAt;
  private long firstAskedAt;

  AcquireLoop(Waiters waiters, RequestSender sender, Waiter waiter) {
    this.waiters = waiters;
    this.monitor = waiters.monitor;
    this.holds = waiters.holds;
    this.unsettled = waiters.unsettled;
    this.store = waiter.spec.store();
    this.sender = sender;
    this.waiter = waiter;
    this.wakeUps = waiters.listeningFor(this);
    this.evidence = unsettled.evidence(waiters);
  }

  boolean isIdle() {
    return state().phase() == Phase.IDLE;
  }

  @Override
  protected Monitor monitor() {
    return monitor;
  }

  // ---- the token ----

  @Override
  protected LeaseKey newKey() {
    LeaseKey mine = store.freshLease(monitor.name());
    Lingering lingering = store.lingering();
    if (lingering == null || !lingering.appliesTo(waiter.options)) {
      return mine;
    }
    recall = Recall.of(monitor, store, lingering, mine);
    return recall.key();
  }

  private void endRecall() {
    if (recall != null) {
      recall.end();
    }
  }

  /** Withdraws the token. It is never used again, whatever the result. */
  private void withdraw(Effect.Withdraw what) {
    LeaseKey mine = takeKey();
    endRecall();
    recall = null;
    if (mine == null) { // creating one is what failed
      unsettled.released(this);
    } else {
      monitor.after(
          () ->
              store
                  .withdraw(mine, what.leave(), what.release())
                  .thenRun(() -> monitor.locked(() -> unsettled.released(this))));
    }
  }

  @Override
  protected void perform(Effect effect) {
    if (effect instanceof Effect.Take take) {
      takeKey(); // from now on the lease has it
      recall = null;
      waiters.granted(waiter, take.lease());
    } else if (effect instanceof Effect.Fail fail) {
      waiters.failed(waiter, fail.why());
    } else if (effect instanceof Effect.Keep) {
      unsettled.add(this);
    } else if (effect instanceof Effect.Forget) {
      unsettled.remove(this);
    } else if (effect instanceof Effect.Withdraw withdraw) {
      withdraw(withdraw);
    }
  }

  @Override
  protected void askNow() {
    boolean again = state().sent();
    // A place in the line is useful only if a wake-up would be received.
    boolean queues = waiter.waits() && wakeUps.isOpen();
    on(new Event.Ask(queues));
    askedAt = monitor.now();
    evidence.asks();
    IfHeld ifHeld = queues ? IfHeld.ENQUEUE : IfHeld.REFUSE;
    Duration waited = again ? monitor.time().since(firstAskedAt) : Duration.ZERO;
    LeaseKey mine = key();
    int numbers = recall == null ? waiters.handOversAfter(waiter) : Lingering.NUMBERS;
    AcquireRequest request = waiter.request(mine, ifHeld, again, waited, numbers);
    firstAskedAt = again ? firstAskedAt : askedAt;
    monitor.after(() -> send(request));
  }

  private void send(AcquireRequest request) {
    long sentAt = monitor.now();
    // A queued waiter's thread stays free, since it may be handed a lease meanwhile.
    CallerThread caller = waiter.queued ? null : waiter.caller;
    onAnswer(
        caller == null
            ? sender.acquire(request)
            : CallerThread.offering(caller, () -> sender.acquire(request)),
        sentAt);
  }

  @Override
  protected void answered(
      long sentAt, @Nullable AcquireResult answer, @Nullable LockException failure) {
    leftIfServed();
    if (!state().needed()) {
      tellHealth(failure, sentAt);
      on(
          new Event.Missed(
              answer == null ? StoreCalls.mayHaveRun(failure) : answer instanceof Granted));
    } else if (answer instanceof Granted granted) {
      granted(granted, sentAt);
    } else if (answer instanceof Held held) {
      refused(held, sentAt);
    } else if (failure != null) {
      failed(failure, sentAt);
    }
  }

  /**
   * Reports the store's health after a call whose waiter has left, unless the call was cut short,
   * or was never made, because of that.
   */
  private void tellHealth(@Nullable LockException failure, long sentAt) {
    if (!waiter.waits() || waiter.caller != null) {
      return;
    }
    if (failure == null) {
      monitor.answered();
    } else if (failure instanceof LockStoreException) {
      monitor.troubled(failure, sentAt);
    }
  }

  private void granted(Granted granted, long sentAt) {
    monitor.answered();
    if (monitor.isClosing()) {
      on(new Event.Failed(Lifecycle.closedFailure(), true, true)); // the grant is released
      return;
    }
    long deadline = LeaseTimes.deadline(sentAt, granted.ttl());
    if (deadline - monitor.now() <= 0) {
      failed(StoreHealth.tooLate(monitor.time().since(sentAt)), sentAt);
      return;
    }
    RemoteLease lease = new RemoteLease(monitor, holds, waiter, key(), granted, deadline, recall);
    if (holds.supersedes(lease)) {
      failed(
          new LockStoreException(Kind.TIMED_OUT, "a later grant overtook the store's answer"),
          sentAt);
      return;
    }
    on(new Event.Granted(lease));
  }

  private void refused(Held held, long sentAt) {
    on(new Event.Refused());
    lastRefusal = held;
    monitor.answered();
    if (held.recallable().isPresent() && recalled(held)) {
      return;
    }
    waiter.refused = true;
    monitor.after(() -> store.releases().foundHeld(monitor.name()));
    monitor.tell((kind, name) -> new LockEvent.Contended(kind, name, held.retryAfter()));
    Verdict verdict = evidence.hear(waiter, sentAt, monitor.now(), mayDoubt());
    leftIfServed();
    if (!state().needed()) {
      return;
    }
    if (verdict == Verdict.UNKNOWN && isOutOfTime()) {
      LockException why = StoreHealth.doubtful(monitor.time().since(waiter.arrived));
      on(new Event.Failed(why, false, true));
      return;
    }
    boolean returning = false;
    if (waiter.waits() && waiters.pace == null && !wakeUps.isOpen()) {
      // The pause starts now: the store may take long to confirm the subscription.
      wakeUps.open(key());
      returning = held.recalled() && waiter.recalls++ == 0; // once: it may be in use
    }
    boolean again = verdict == Verdict.ASK_AGAIN;
    on(returning && !again ? new Event.Returning() : new Event.Judged(again));
  }

  /**
   * Recalls the holder's lease, which it may not use. Returns whether the waiter, which does not
   * wait, asks again before it counts as refused.
   */
  private boolean recalled(Held held) {
    monitor.after(() -> store.recall(monitor.name(), held));
    if (waiter.waits() || !sender.mayAskAgain() || waiter.recalls == Lingering.MOST_RECALLS) {
      return false;
    }
    waiter.recalls++;
    on(new Event.Recalled());
    return true;
  }

  /** Cleans up if the waiter was served otherwise, say by a hold of its owner. */
  private void leftIfServed() {
    if (waiter.isServed() && state().needed()) {
      cleanUp();
    }
  }

  private boolean mayDoubt() {
    return waiter.waits() || sender.mayAskAgain();
  }

  /** A waiter that asks only once waits as long for certainty as for an answer. */
  private boolean isOutOfTime() {
    return !waiter.waits()
        && monitor.time().since(waiter.arrived).compareTo(store.calls().timeout()) >= 0;
  }

  /** Reviews a doubtful answer, after a token of this process has been settled. */
  void reconsider() {
    if (state().phase() == Phase.PAUSED && evidence.isInDoubt() && !waiter.isServed()) {
      Verdict verdict = evidence.hearAgain(waiter);
      leftIfServed();
      if (verdict == Verdict.ASK_AGAIN) {
        pauseEnded();
      }
    }
  }

  /** Asks again for a new waiter that has no answer yet and is served by this loop. */
  void lookAgain() {
    if (state().sent() && !state().backsOff() && !evidence.isInDoubt()) {
      pauseEnded();
    }
  }

  private void failed(LockException failure, long sentAt) {
    monitor.troubled(failure, sentAt);
    boolean mayHaveRun = StoreCalls.mayHaveRun(failure);
    on(new Event.Failed(failure, mayHaveRun, waiter.endsWith(sentAt)));
    if (state().phase() == Phase.PAUSED) {
      waiters.failOutOfPatience(failure);
    }
  }

  /** Pauses before the first request: a waiter of another process goes first. */
  void defer() {
    on(new Event.Deferred());
  }

  @Override
  protected Duration length(Why why) {
    return switch (why) {
      case COURTESY -> COURTESY;
      case NO_ANSWER -> pauses().afterFailure();
      case RECALLED -> Lingering.recallPause(monitor.time().since(askedAt), waiter.recalls);
      case RETURNING -> Lingering.returnPause(monitor.time().since(askedAt));
      case HELD ->
          lastRefusal == null || !waiter.waits()
              ? store.calls().timeout() // or until the doubt is resolved
              : pauses().afterRefusal(lastRefusal, askedAt, waiter.options.waitStrategy());
    };
  }

  private Pauses pauses() {
    Pauses mine = pauses == null ? new Pauses(waiters.pace, monitor.time()) : pauses;
    pauses = mine;
    return mine;
  }

  @Override
  protected void pauseEnded() {
    on(new Event.PauseEnded(waiters.mayAsk(waiter)));
  }

  /** Handles a wake-up, or the confirmation that the subscription is active. */
  void woken() {
    on(new Event.Woken(waiters.mayAsk(waiter)));
  }

  /**
   * After the waiter was served by another's lease: continues for the next waiter, which gets the
   * request and the place in the line, or ends if it would not send the same request.
   */
  void servedOtherwise(@Nullable Waiter next) {
    if (next != null
        && (!isIdle() || state().queued())
        && next.loop.isFresh()
        && waiter.asksAs(next)
        && waiters.mayAsk(next)) {
      goOnFor(next);
    } else {
      cleanUp();
    }
  }

  /** Returns whether the request of a waiter that has left can serve another. */
  boolean mayGoOnFor(Waiter next) {
    return state().phase() == Phase.ASKED
        && waiter.caller == null // a call on the caller's thread ends when the caller leaves
        && waiter.asksAs(next)
        && next.loop.isFresh();
  }

  /** Continues for a waiter that has not asked yet. */
  void goOnFor(Waiter next) {
    waiter.loop = next.loop;
    waiter.loop.waiter = waiter;
    next.loop = this;
    waiter = next;
    on(new Event.Adopted());
  }

  private boolean isFresh() {
    return isIdle() && !hasToken();
  }

  /** Cleans up, once the waiter's outcome is decided and the token holds no lease. */
  void cleanUp() {
    if (waiters.fair) {
      wakeUps.close();
    }
    endRecall();
    on(new Event.Left());
  }
}
