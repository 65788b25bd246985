package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
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
  private static final Duration FIRST_RETRY = Duration.ofMillis(50);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 16;

  /** How it asks the store: by itself, or together with those of other names. */
  interface Asker {
    CompletableFuture<AcquireResult> acquire(AcquireRequest request);
  }

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
  private Phase phase = Phase.IDLE;
  private @Nullable LeaseKey key;
  private Scheduler.@Nullable Scheduled timer;

  /** Whether the store may have this token in its line. */
  private boolean registered;

  /** Whether the store may have granted this token without our knowing. */
  private boolean unknown;

  private boolean wokenMeanwhile;
  private boolean refusedBefore;
  private int failures;
  private long askedAt;
  private long firstAskedAt;
  private boolean askedBefore;

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
  }

  boolean isIdle() {
    return phase == Phase.IDLE;
  }

  /** Whether it has asked and got no answer for at least this time. */
  boolean isUnansweredFor(Duration span) {
    return phase == Phase.ASKING && time.since(askedAt).compareTo(span) >= 0;
  }

  private LeaseKey key() {
    LeaseKey mine = key;
    if (mine == null) {
      mine = store.freshKey(cell.name());
      key = mine;
    }
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
    askedAt = time.now();
    wokenMeanwhile = false;
    // A place in the line is worth taking only where a wake-up would be heard.
    IfHeld ifHeld = acquisition.waits() && listening.isOpen() ? IfHeld.ENQUEUE : IfHeld.REFUSE;
    registered |= ifHeld == IfHeld.ENQUEUE;
    Duration ttl = Minimum.ttl(acquisition.options);
    Duration atLeast = acquisition.options.atLeast();
    Duration waited = askedBefore ? time.since(firstAskedAt) : Duration.ZERO;
    int handOvers = cell.waiters().handOversAfter(acquisition);
    AcquireRequest request =
        new AcquireRequest(key(), ttl, ifHeld, askedBefore, atLeast, waited, handOvers);
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
      cleanUp();
    } else if (answer instanceof Granted granted) {
      granted(granted, sentAt);
    } else if (answer instanceof Held held) {
      refused(held);
    } else if (failure != null) {
      failed(failure, sentAt);
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

  private void refused(Held held) {
    cell.store().answered();
    unknown = false;
    acquisition.refused = true;
    cell.after(() -> store.releases().foundHeld(cell.name()));
    cell.tell(() -> new LockEvent.Contended(cell.kind(), cell.name(), held.retryAfter()));
    if (!acquisition.waits()) {
      cell.waiters().contended(acquisition);
      return;
    }
    WaitStrategy strategy = acquisition.options.waitStrategy();
    if (wokenMeanwhile) {
      ask();
    } else if (wakes) {
      if (!listening.isOpen()) {
        // The pause runs from now: whether it can listen, the store may take long to say.
        listening.open(key());
      }
      pauseAtMost(strategy.longest(), held);
    } else {
      if (!refusedBefore) {
        cell.pace.begin();
      }
      pauseAtMost(time.spread(cell.pace.after(held, askedAt, time.now(), strategy)), held);
      refusedBefore = true;
    }
  }

  private void pauseAtMost(Duration longest, Held held) {
    Duration lease = held.retryAfter().plusMillis(1);
    pause(lease.compareTo(longest) < 0 ? lease : longest);
  }

  private void failed(LockException failure, long sentAt) {
    unknown |= mayHaveRun(failure);
    cell.store().troubled(failure, sentAt);
    if (!acquisition.waits() || !mayHaveRun(failure)) {
      cell.waiters().failed(acquisition, failure);
    } else {
      failures++;
      pause(retryAfterFailures());
      cell.waiters().failOutOfPatience(failure);
    }
  }

  /** A refusal in the store's own words changed nothing there, and asking again won't help. */
  static boolean mayHaveRun(@Nullable LockException failure) {
    return failure instanceof LockStoreException store && store.kind() != Kind.REFUSED;
  }

  private Duration retryAfterFailures() {
    Duration grown = FIRST_RETRY.multipliedBy(1L << Math.min(MOST_DOUBLINGS, failures - 1));
    return grown.compareTo(LONGEST_RETRY) < 0 ? grown : LONGEST_RETRY;
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
      acquisition.attempt = next.attempt;
      acquisition.attempt.acquisition = acquisition;
      next.attempt = this;
      acquisition = next;
    } else {
      cleanUp();
    }
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
      return; // the answer comes here again
    }
    phase = Phase.IDLE;
    LeaseKey mine = key;
    if (mine == null) {
      return;
    }
    boolean leave = registered;
    boolean release = unknown;
    registered = false;
    unknown = false;
    if (leave || release) {
      cell.after(() -> withdraw(mine, leave, release));
    }
  }

  private void withdraw(LeaseKey mine, boolean leave, boolean release) {
    CompletableFuture<?> left = leave ? store.leave(mine) : CompletableFuture.completedFuture(null);
    if (release) {
      left.whenComplete(
          (done, failure) ->
              store
                  .releases()
                  .add(
                      store.kind(),
                      store.store(),
                      mine,
                      Drift.wholeMillis(acquisition.options.lease())));
    }
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
