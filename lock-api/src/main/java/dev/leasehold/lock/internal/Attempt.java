package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.Leftovers.Verdict;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A waiter's contention on the store, with one token from first to last: ask, and while refused
 * pause until a wake-up, the end of the holder's lease or the wait strategy's pause, and ask again.
 *
 * <p>Every method runs under the cell's mutex; what goes out to the store goes by {@link
 * LockCell#after}, when the mutex is free.
 */
final class Attempt {
  private static final OptionalLong NO_PLACE = OptionalLong.empty();

  private enum Phase {
    /** Nothing is under way. */
    IDLE,
    /** An ask is on its way to the store. */
    ASKING,
    /** It waits for a timer, a wake-up, or for listening to begin. */
    PAUSED
  }

  private final LockCell cell;
  private final Timing time;
  private final StoreOperations store;
  private final Asker asker;

  /** Whether the store wakes waiters. */
  private final boolean wakes;

  private Acquisition acquisition;
  private final Listening listening;
  private final Evidence evidence;
  private final Pauses pauses;
  private Phase phase = Phase.IDLE;
  private @Nullable LeaseKey key;
  private Scheduler.@Nullable Scheduled timer;

  /** Whether the store may have this token in its line. */
  private boolean registered;

  /** Whether the store may have granted this token without our knowing, or may do so yet. */
  private boolean unknown;

  private boolean wokenMeanwhile;
  private long askedAt;
  private long firstAskedAt;
  private boolean askedBefore;
  private boolean backsOff; // pauses after a failure

  Attempt(
      LockCell cell,
      Timing time,
      StoreOperations store,
      Asker asker,
      boolean wakes,
      Acquisition acquisition) {
    this.cell = cell;
    this.time = time;
    this.store = store;
    this.asker = asker;
    this.wakes = wakes;
    this.acquisition = acquisition;
    this.listening = cell.waiters().listeningFor(this);
    this.evidence = new Evidence(cell);
    this.pauses = new Pauses(cell.pace, time, wakes);
  }

  boolean isIdle() {
    return phase == Phase.IDLE;
  }

  private LeaseKey key() {
    LeaseKey mine = key != null ? key : store.freshKey(cell.name());
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
    cancelTimer();
    phase = Phase.ASKING;
    backsOff = false;
    askedAt = time.now();
    wokenMeanwhile = false;
    evidence.asks();
    // A place in the line is worth taking only where a wake-up would be heard.
    IfHeld ifHeld = acquisition.waits() && listening.isOpen() ? IfHeld.ENQUEUE : IfHeld.REFUSE;
    registered |= ifHeld == IfHeld.ENQUEUE;
    Duration ttl = Minimum.ttl(acquisition.options);
    Duration atLeast = acquisition.options.atLeast();
    Duration waited = askedBefore ? time.since(firstAskedAt) : Duration.ZERO;
    int handOvers = cell.waiters().handOversAfter(acquisition);
    Duration longest = acquisition.options.waitStrategy().longest();
    AcquireRequest request =
        new AcquireRequest(
            key(), ttl, ifHeld, askedBefore, atLeast, waited, handOvers, key(), longest, NO_PLACE);
    firstAskedAt = askedBefore ? firstAskedAt : askedAt;
    askedBefore = true;
    cell.after(() -> send(request));
  }

  private void send(AcquireRequest request) {
    long sentAt = time.now();
    cell.onAnswer(
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
    phase = Phase.IDLE;
    if (acquisition.isServed()) {
      unknown |= answer == null ? mayHaveRun(failure) : answer instanceof Granted;
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
      cell.store().answered();
    } else if (failure instanceof LockStoreException) {
      cell.store().troubled(failure, sentAt);
    }
  }

  /** Something of ours or of a user's threw: the outcome says so, and nothing is left behind. */
  private void broken(Throwable e) {
    phase = Phase.IDLE;
    unknown = true;
    if (acquisition.isServed()) {
      cleanUp();
    } else {
      cell.waiters().failed(acquisition, StoreCalls.typed(e));
    }
  }

  private void granted(Granted granted, long sentAt) {
    cell.store().answered();
    if (cell.isClosing()) {
      unknown = true; // it is, and goes back
      cell.waiters().failClosed(acquisition);
      return;
    }
    long deadline = Drift.deadline(sentAt, granted.ttl());
    if (deadline - time.now() <= 0) {
      String took =
          "the store's grant took "
              + Setting.written(time.since(sentAt))
              + ", as long as the lease lasts";
      failed(new LockStoreException(Kind.TIMED_OUT, took), sentAt);
      return;
    }
    RemoteLease lease =
        new RemoteLease(
            cell, time, acquisition.share, key(), granted, deadline, acquisition.options);
    if (cell.waiters().isStale(lease)) {
      failed(
          new LockStoreException(Kind.TIMED_OUT, "a later grant overtook the store's answer"),
          sentAt);
      return;
    }
    cancelTimer();
    key = null; // the lease has it now
    registered = false;
    unknown = false;
    cell.waiters().granted(acquisition, lease);
  }

  private void refused(Held held, long sentAt) {
    cell.store().answered();
    acquisition.refused = true;
    cell.after(() -> store.releases().foundHeld(cell.name()));
    cell.tell(() -> new LockEvent.Contended(cell.kind(), cell.name(), held.retryAfter()));
    Verdict verdict = evidence.hear(acquisition, sentAt, time.now(), mayDoubt());
    if (acquisition.isServed()) {
      return;
    }
    if (acquisition.waits() && wakes && !listening.isOpen()) {
      // The pause runs from now: whether it can listen, the store may take long to say.
      listening.open(key());
    }
    if (wokenMeanwhile || verdict == Verdict.ASK_AGAIN) {
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
            && time.since(acquisition.arrived).compareTo(store.calls().timeout()) < 0);
  }

  /** What was left on the store is less than it was. */
  void reconsider() {
    if (phase == Phase.PAUSED && evidence.isInDoubt() && !acquisition.isServed()) {
      Verdict verdict = evidence.hearAgain(acquisition);
      if (verdict == Verdict.ASK_AGAIN) {
        pauseEnded();
      }
    }
  }

  /** Somebody came who has no answer yet, and for whom this one asks. */
  void lookAgain() {
    if (phase == Phase.PAUSED && askedBefore && !backsOff && !evidence.isInDoubt()) {
      pauseEnded();
    }
  }

  private void failed(LockException failure, long sentAt) {
    unknown |= mayHaveRun(failure);
    cell.store().troubled(failure, sentAt);
    if (acquisition.endsWith(sentAt) || !mayHaveRun(failure)) {
      cell.waiters().failed(acquisition, failure);
    } else {
      backsOff = true;
      pause(pauses.afterFailure());
      cell.waiters().failOutOfPatience(failure);
    }
  }

  /** A refusal in the store's own words changed nothing there, and asking again won't help. */
  static boolean mayHaveRun(@Nullable LockException failure) {
    return failure instanceof LockStoreException store && store.kind() != Kind.REFUSED;
  }

  /** Waits before the next ask. */
  void pause(Duration pause) {
    cancelTimer();
    phase = Phase.PAUSED;
    try {
      timer = time.later(time.jittered(pause), () -> cell.locked(this::pauseEnded));
    } catch (RuntimeException | Error e) { // without a timer the pause might never end
      broken(e);
    }
  }

  private void pauseEnded() {
    if (phase != Phase.PAUSED || acquisition.isServed()) {
      return;
    }
    if (cell.waiters().mayAsk(acquisition)) {
      ask();
    } else {
      cancelTimer();
      phase = Phase.IDLE; // the cell starts it again when this process no longer holds the lock
    }
  }

  /** A wake-up came, or listening has begun. */
  void woken() {
    wokenMeanwhile = true;
    pauseEnded();
  }

  /**
   * Its waiter has a lease that another one left: goes on for the next waiter, which then has the
   * question and the place in the line. It ends if there is none that would ask the same.
   */
  void servedOtherwise(@Nullable Acquisition next) {
    if (next != null
        && (phase != Phase.IDLE || registered)
        && next.attempt.isFresh()
        && acquisition.asksAs(next)
        && cell.waiters().mayAsk(next)) {
      goOnFor(next);
    } else {
      cleanUp();
    }
  }

  /** Whether a question that its waiter has left does for another. */
  boolean mayGoOnFor(Acquisition next) {
    return phase == Phase.ASKING
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
    cell.leftovers().remove(this);
  }

  private boolean isFresh() {
    return phase == Phase.IDLE && key == null;
  }

  /** The waiter's outcome is decided and the token holds nothing: leaves nothing behind. */
  void cleanUp() {
    cancelTimer();
    if (cell.waiters().isFair()) {
      listening.close();
    }
    if (phase == Phase.ASKING) {
      cell.leftovers().add(this);
      return; // the answer comes here again
    }
    phase = Phase.IDLE;
    LeaseKey mine = key;
    boolean leave = registered && mine != null;
    boolean release = unknown && mine != null;
    registered = false;
    unknown = false;
    if (leave || release) { // its place may be the reason of a refusal, as its grant may
      cell.leftovers().add(this);
    } else {
      cell.leftovers().remove(this);
    }
    if (mine != null && (leave || release)) {
      key = null; // whatever comes of it, this token never asks again
      cell.after(() -> withdraw(mine, leave, release));
    }
  }

  private void withdraw(LeaseKey mine, boolean leave, boolean release) {
    BackgroundReleases later = store.releases();
    CompletableFuture<?> left = leave ? store.leave(mine) : CompletableFuture.completedFuture(null);
    left.whenComplete(
        (done, failure) -> {
          if (failure != null && mayHaveRun(StoreCalls.typed(failure))) {
            later.leave(store.kind(), store.store(), mine);
          }
          if (release) {
            later.add(store.kind(), store.store(), mine);
          }
          cell.locked(() -> cell.leftovers().released(this));
        });
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
