package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.acquire.Leftovers.Verdict;
import dev.leasehold.lock.internal.calls.Asker;
import dev.leasehold.lock.internal.calls.BackgroundReleases;
import dev.leasehold.lock.internal.calls.Caller;
import dev.leasehold.lock.internal.calls.Drift;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Listening;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.Pauses;
import dev.leasehold.lock.internal.name.PollingPace;
import dev.leasehold.lock.internal.name.Question;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A waiter's contention on the store, with one token from first to last: ask, and while refused
 * pause until a wake-up, the end of the holder's lease or the wait strategy's pause, and ask again.
 *
 * <p>Every method runs under the cell's mutex; what goes out to the store goes by {@link
 * Monitor#after}, when the mutex is free.
 */
public final class Attempt {

  private final Monitor monitor;
  private final Holds holds;
  private final Leftovers leftovers;
  private final WaitQueue waiters;
  private final StoreOperations store;
  private final Asker asker;

  /** Whether the store wakes waiters. */
  private final boolean wakes;

  private Acquisition acquisition;
  private final Listening listening;
  private final Evidence evidence;
  private final Pauses pauses;
  private final Question question;
  private @Nullable LeaseKey key;

  /** Whether the store may have this token in its line. */
  private boolean registered;

  /** Whether the store may have granted this token without our knowing, or may do so yet. */
  private boolean unknown;

  private long askedAt;
  private long firstAskedAt;
  private boolean askedBefore;
  private boolean backsOff; // pauses after a failure

  Attempt(
      Monitor monitor,
      Holds holds,
      Leftovers leftovers,
      WaitQueue waiters,
      PollingPace pace,
      Asker asker,
      boolean wakes,
      Acquisition acquisition) {
    this.monitor = monitor;
    this.holds = holds;
    this.leftovers = leftovers;
    this.waiters = waiters;
    this.store = acquisition.share.store();
    this.asker = asker;
    this.wakes = wakes;
    this.acquisition = acquisition;
    this.listening = waiters.listeningFor(this);
    this.evidence = new Evidence(waiters, leftovers, holds);
    this.question = new Question(monitor.time(), () -> monitor.locked(this::pauseEnded));
    this.pauses = new Pauses(pace, monitor.time(), wakes);
  }

  boolean isIdle() {
    return question.isIdle();
  }

  private LeaseKey key() {
    LeaseKey mine = key != null ? key : store.freshKey(monitor.name());
    key = mine;
    return mine;
  }

  /** Asks, now. */
  void ask() {
    try {
      askNow();
    } catch (RuntimeException | Error e) { // a user's source of randomness, say
      broken(e);
    }
  }

  private void askNow() {
    question.ask();
    backsOff = false;
    askedAt = monitor.now();
    evidence.asks();
    // A place in the line is worth taking only where a wake-up would be heard.
    IfHeld ifHeld = acquisition.waits() && listening.isOpen() ? IfHeld.ENQUEUE : IfHeld.REFUSE;
    registered |= ifHeld == IfHeld.ENQUEUE;
    Duration waited = askedBefore ? monitor.time().since(firstAskedAt) : Duration.ZERO;
    int handOvers = waiters.handOversAfter(acquisition);
    AcquireRequest request = acquisition.request(key(), ifHeld, askedBefore, waited, handOvers);
    firstAskedAt = askedBefore ? firstAskedAt : askedAt;
    askedBefore = true;
    monitor.after(() -> send(request));
  }

  private void send(AcquireRequest request) {
    long sentAt = monitor.now();
    monitor.onAnswer(
        Caller.offering(asksItself(), () -> asker.acquire(request)),
        (answer, failure) -> {
          try {
            answered(sentAt, answer, failure);
          } catch (RuntimeException | Error e) { // the turn ends all the same
            broken(e);
          }
        });
  }

  /** In a crowd another may leave it a lease meanwhile, for which it has to be free. */
  private @Nullable Caller asksItself() {
    return acquisition.queued ? null : acquisition.caller;
  }

  private void answered(
      long sentAt, @Nullable AcquireResult answer, @Nullable LockException failure) {
    question.rest();
    if (acquisition.isServed()) {
      unknown |= answer == null ? StoreCalls.mayHaveRun(failure) : answer instanceof Granted;
      tellHealth(failure, sentAt);
      cleanUp();
    } else if (answer instanceof Granted granted) {
      granted(granted, sentAt);
    } else if (answer instanceof Held held) {
      refused(held, sentAt);
    } else if (failure != null) {
      failed(failure, sentAt);
    }
  }

  /**
   * A call whose waiter has left tells how the store does, too: but for one that was cut off, or
   * never made because its waiter had left.
   */
  private void tellHealth(@Nullable LockException failure, long sentAt) {
    if (!acquisition.waits() || acquisition.caller != null) {
      return;
    }
    if (failure == null) {
      monitor.store().answered();
    } else if (failure instanceof LockStoreException) {
      monitor.store().troubled(failure, sentAt);
    }
  }

  /** Something of ours or of a user's threw: the outcome says so, and nothing is left behind. */
  private void broken(Throwable e) {
    question.rest();
    unknown = true;
    if (acquisition.isServed()) {
      cleanUp();
    } else {
      waiters.failed(acquisition, StoreCalls.typed(e));
    }
  }

  private void granted(Granted granted, long sentAt) {
    monitor.store().answered();
    if (monitor.isClosing()) {
      unknown = true; // it is, and goes back
      waiters.failed(acquisition, Lifecycle.closedFailure());
      return;
    }
    long deadline = Drift.deadline(sentAt, granted.ttl());
    if (deadline - monitor.now() <= 0) {
      failed(StoreHealth.tooLate(monitor.time().since(sentAt)), sentAt);
      return;
    }
    RemoteLease lease = holds.lease(acquisition, key(), granted, deadline);
    if (holds.supersedes(lease)) {
      failed(
          new LockStoreException(Kind.TIMED_OUT, "a later grant overtook the store's answer"),
          sentAt);
      return;
    }
    key = null; // the lease has it now
    registered = false;
    unknown = false;
    waiters.granted(acquisition, lease);
  }

  private void refused(Held held, long sentAt) {
    monitor.store().answered();
    acquisition.refused = true;
    monitor.after(() -> store.releases().foundHeld(monitor.name()));
    monitor.tell(() -> new LockEvent.Contended(monitor.kind(), monitor.name(), held.retryAfter()));
    Verdict verdict = evidence.hear(acquisition, sentAt, monitor.now(), mayDoubt());
    if (acquisition.isServed()) {
      return;
    }
    if (acquisition.waits() && wakes && !listening.isOpen()) {
      // The pause runs from now: whether it can listen, the store may take long to say.
      listening.open(key());
    }
    if (question.wasWoken() || verdict == Verdict.ASK_AGAIN) {
      ask();
      return;
    }
    if (!acquisition.waits()) {
      pause(store.calls().timeout()); // or until it is known
      return;
    }
    pause(pauses.afterRefusal(held, askedAt, acquisition.options.waitStrategy()));
  }

  /** Who asks once waits for certainty as long as for an answer. */
  private boolean mayDoubt() {
    return acquisition.waits()
        || (asker.mayAskAgain()
            && monitor.time().since(acquisition.arrived).compareTo(store.calls().timeout()) < 0);
  }

  /** What was left on the store is less than it was. */
  void reconsider() {
    if (question.isPaused() && evidence.isInDoubt() && !acquisition.isServed()) {
      Verdict verdict = evidence.hearAgain(acquisition);
      if (verdict == Verdict.ASK_AGAIN) {
        pauseEnded();
      }
    }
  }

  /** Somebody came who has no answer yet, and for whom this one asks. */
  void lookAgain() {
    if (question.isPaused() && askedBefore && !backsOff && !evidence.isInDoubt()) {
      pauseEnded();
    }
  }

  private void failed(LockException failure, long sentAt) {
    unknown |= StoreCalls.mayHaveRun(failure);
    monitor.store().troubled(failure, sentAt);
    if (acquisition.endsWith(sentAt) || !StoreCalls.mayHaveRun(failure)) {
      waiters.failed(acquisition, failure);
    } else {
      backsOff = true;
      pause(pauses.afterFailure());
      waiters.failOutOfPatience(failure);
    }
  }

  /** Waits before the next ask. */
  void pause(Duration pause) {
    try {
      question.pause(pause);
    } catch (RuntimeException | Error e) { // without a timer the pause might never end
      broken(e);
    }
  }

  private void pauseEnded() {
    if (!question.isPaused() || acquisition.isServed()) {
      return;
    }
    if (waiters.mayAsk(acquisition)) {
      ask();
    } else {
      question.rest(); // the cell starts it again when this process no longer holds the lock
    }
  }

  /** A wake-up came, or listening has begun. */
  void woken() {
    question.woken();
    pauseEnded();
  }

  /**
   * Its waiter has a lease that another one left: goes on for the next waiter, which then has the
   * question and the place in the line. It ends if there is none that would ask the same.
   */
  void servedOtherwise(@Nullable Acquisition next) {
    if (next != null
        && (!question.isIdle() || registered)
        && next.attempt.isFresh()
        && acquisition.asksAs(next)
        && waiters.mayAsk(next)) {
      goOnFor(next);
    } else {
      cleanUp();
    }
  }

  /** Whether a question that its waiter has left does for another. */
  boolean mayGoOnFor(Acquisition next) {
    return question.isAsked()
        && acquisition.caller == null // a caller's own call ends when it leaves
        && acquisition.asksAs(next)
        && next.attempt.isFresh();
  }

  /** Takes over for a waiter that has not asked yet. */
  void goOnFor(Acquisition next) {
    acquisition.attempt = next.attempt;
    acquisition.attempt.acquisition = acquisition;
    next.attempt = this;
    acquisition = next;
    leftovers.remove(this);
  }

  private boolean isFresh() {
    return question.isIdle() && key == null;
  }

  /** The waiter's outcome is decided and the token holds nothing: leaves nothing behind. */
  void cleanUp() {
    if (waiters.isFair()) {
      listening.close();
    }
    if (question.isAsked()) {
      leftovers.add(this);
      return; // the answer comes here again
    }
    question.rest();
    LeaseKey mine = key;
    boolean leave = registered && mine != null;
    boolean release = unknown && mine != null;
    registered = false;
    unknown = false;
    if (leave || release) { // its place may be the reason of a refusal, as its grant may
      leftovers.add(this);
    } else {
      leftovers.remove(this);
    }
    if (mine != null && (leave || release)) {
      key = null; // whatever comes of it, this token never asks again
      monitor.after(() -> withdraw(mine, leave, release));
    }
  }

  private void withdraw(LeaseKey mine, boolean leave, boolean release) {
    BackgroundReleases later = store.releases();
    CompletableFuture<?> left = leave ? store.leave(mine) : CompletableFuture.completedFuture(null);
    left.whenComplete(
        (done, failure) -> {
          if (failure != null && StoreCalls.mayHaveRun(StoreCalls.typed(failure))) {
            later.leave(store.kind(), store.store(), mine);
          }
          if (release) {
            later.add(store.kind(), store.store(), mine);
          }
          monitor.locked(() -> leftovers.released(this));
        });
  }
}
