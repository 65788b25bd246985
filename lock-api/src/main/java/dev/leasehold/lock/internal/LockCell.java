package dev.leasehold.lock.internal;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that one manager knows of one name: who waits for it here, and ({@link Holds}) who holds it.
 *
 * <p>One {@link Mutex} guards it. Each turn ends in {@link #settle}, which starts the one contender
 * that this process has on the store.
 */
final class LockCell {
  /** How long this process stays back after it woke a waiter of another one. */
  private static final Duration COURTESY = Duration.ofMillis(1);

  /** How often to ask where the store wakes nobody. */
  final PollingPace pace = new PollingPace();

  private final String name;
  private final Timing time;
  private final Terms terms;
  private final StoreOperations operations;
  private final Events events;
  private final Lifecycle lifecycle;
  private final Consumer<LockCell> onIdle;
  private final Mutex mutex;
  private final StoreHealth store;
  private final boolean fair;
  private final LinkedHashSet<Acquisition> queue = new LinkedHashSet<>();
  private final Holds holds;
  private final HoldCalls holdCalls;
  private final Listening sharedListening;

  /** Those who don't queue: they ask once, or re-enter and need a longer lease. */
  private final LinkedHashSet<Acquisition> besides = new LinkedHashSet<>();

  private boolean courteous;
  private boolean dead;

  LockCell(String name, Cells cells, Env env, Consumer<LockCell> onIdle) {
    this.name = name;
    this.time = env.time();
    this.terms = env.terms();
    this.operations = cells.store();
    this.events = env.events();
    this.lifecycle = env.lifecycle();
    this.onIdle = onIdle;
    this.mutex = new Mutex(lifecycle.outbox(), this::settle);
    this.store = new StoreHealth(time);
    this.fair = cells.promises(Guarantee.FAIR);
    LostHolds lost = new LostHolds(this, env.log(), lifecycle.reclaimer());
    this.holds = new Holds(this, cells.sharing(), env, lost);
    this.holdCalls = new HoldCalls(this, time, events);
    this.sharedListening = new Listening(mutex, operations::watch, this::wokenUp);
  }

  String name() {
    return name;
  }

  boolean isFair() {
    return fair;
  }

  long now() {
    return time.now();
  }

  LeaseStore view() {
    return operations.store();
  }

  Callers callers() {
    return operations.calls().callers();
  }

  // ---- turns ----

  /** Runs a step under the mutex, and what it put down when the mutex is free. */
  void locked(Runnable step) {
    mutex.locked(step);
  }

  /** As {@link #locked}, on a timer's thread: what it put down is done by another. */
  void lockedByTimer(Runnable step) {
    mutex.lockedByTimer(step);
  }

  <T> T computed(Supplier<T> step) {
    return mutex.computed(step);
  }

  /** Puts down what is to be done when the mutex is free. Under the mutex only. */
  void after(Runnable outward) {
    mutex.after(outward);
  }

  /** Takes in what a call to the store ends with, in a turn of its own. */
  <T> void onAnswer(CompletableFuture<T> call, Answered<T> handler) {
    mutex.onAnswer(call, handler);
  }

  /** Tells listeners when the mutex is free. Under the mutex only. */
  void tell(Supplier<LockEvent> event) {
    if (events.areHeard()) {
      LockEvent happened = event.get();
      after(() -> events.tell(happened));
    }
  }

  /** Has a callback of the user's run when the mutex is free. Under the mutex only. */
  void callBack(Runnable callback) {
    after(() -> events.run(callback));
  }

  /** Ends a turn: starts who is to ask next, and ends a cell that nobody needs. */
  private void settle() {
    while (!fair && holds.admits() && !queue.isEmpty() && !hasBegun(queue.iterator().next())) {
      // It failed before it could ask: the next one.
    }
    if (queue.isEmpty()) {
      courteous = false;
      if (holds.isVacant()) {
        sharedListening.close(); // not before: threads that take turns would open it each time
      }
      if (besides.isEmpty() && holds.isForgotten() && !dead) {
        dead = true;
        onIdle.accept(this);
      }
    }
  }

  private boolean hasBegun(Acquisition head) {
    if (head.attempt.isIdle()) {
      if (courteous) {
        head.attempt.pause(COURTESY);
      } else {
        head.attempt.ask();
      }
    }
    courteous = false;
    return !head.isSettled();
  }

  /** A re-entry waits for its lease to grow. */
  void grows(Acquisition acquisition, LeaseHandle handle, Duration wanted) {
    acquisition.growing = handle;
    besides.add(acquisition);
    after(() -> holdCalls.grow(acquisition, handle, wanted));
  }

  // ---- coming and going of waiters ----

  /** The watch that a waiter listens with: one for all, or under FAIR one for each. */
  Listening listeningFor(Attempt attempt) {
    return fair ? new Listening(mutex, operations::watch, attempt::woken) : sharedListening;
  }

  /** Takes a waiter in; false if this cell is dead and its map has, or gets, another. */
  boolean enter(Acquisition acquisition) {
    return computed(
        () -> {
          if (dead) {
            return false;
          }
          if (isClosing()) {
            failClosed(acquisition);
            return true;
          }
          letIn(acquisition, () -> arrive(acquisition));
          return true;
        });
  }

  /** By re-entry, if its owner has the lock. */
  private void letIn(Acquisition acquisition, Runnable otherwise) {
    try {
      if (!holds.reenter(acquisition)) {
        otherwise.run();
      }
    } catch (RuntimeException | Error e) {
      failed(acquisition, StoreCalls.typed(e));
    }
  }

  private void arrive(Acquisition acquisition) {
    if (acquisition.waits() && !acquisition.share.beside()) {
      acquisition.queued = holds.isHeld() || !queue.isEmpty();
      queue.add(acquisition);
      if (fair) {
        acquisition.attempt.ask();
      }
    } else if (holds.isHeld()) {
      decide(acquisition, Decision.REFUSED);
    } else {
      besides.add(acquisition);
      acquisition.attempt.ask();
    }
  }

  /** Decides a waiter's outcome, once. Under the mutex. */
  boolean decide(Acquisition acquisition, Decision how) {
    if (!acquisition.settle(how)) {
      return false;
    }
    queue.remove(acquisition);
    besides.remove(acquisition);
    if (acquisition.trail.isFollowed()) {
      acquisition.trail.decided(this, acquisition.result(how, time.since(acquisition.arrived)));
    }
    after(() -> acquisition.complete(how));
    return true;
  }

  /** Gives a waiter's place up: true if it had no outcome yet. Its future is left to the caller. */
  boolean giveUp(Acquisition acquisition) {
    return computed(() -> leave(acquisition, Decision.CANCELLED));
  }

  /** A timed waiter's time is up. */
  void timeUp(Acquisition acquisition) {
    Duration waited = time.since(acquisition.arrived);
    locked(
        () ->
            leave(
                acquisition,
                store.timeUp(acquisition, holds.isHeld(), () -> isAnswerDue(acquisition, waited))));
  }

  private boolean leave(Acquisition acquisition, Decision how) {
    boolean left = decide(acquisition, how);
    if (left) {
      acquisition.attempt.cleanUp();
      LeaseHandle unused = acquisition.growing;
      if (unused != null) {
        after(() -> holdCalls.release(unused.entry()));
      }
    }
    return left;
  }

  /** None is while the one that asks for all pauses, or if it has only just begun to ask. */
  private boolean isAnswerDue(Acquisition acquisition, Duration waited) {
    Acquisition head = fair ? null : head();
    Attempt asking = (head == null ? acquisition : head).attempt;
    return !holds.admits() || asking.isUnansweredFor(waited.dividedBy(2));
  }

  // ---- what attempts report; under the mutex ----

  boolean mayAsk(Acquisition acquisition) {
    return fair
        || !acquisition.waits()
        || acquisition.share.beside()
        || (holds.admits() && head() == acquisition);
  }

  /** The waiter that asks for all, if not each asks for itself. */
  private @Nullable Acquisition head() {
    return queue.isEmpty() ? null : queue.iterator().next();
  }

  private void wokenUp() {
    Acquisition head = head();
    if (head != null) {
      head.attempt.woken();
    }
  }

  StoreHealth store() {
    return store;
  }

  /** Whether a grant is older than the one that is held here. */
  boolean isStale(RemoteLease lease) {
    return holds.supersedes(lease);
  }

  void granted(Acquisition acquisition, RemoteLease lease) {
    take(acquisition, lease, Outcome.GRANTED, () -> holds.granted(acquisition, lease));
    holds.joining().letJoin(queue);
  }

  /** A waiter's hold begins; where it can't, whatever is thrown, nobody keeps the lease. */
  void take(Acquisition acquisition, RemoteLease lease, Outcome how, Supplier<Lease> begin) {
    try {
      decide(acquisition, Decision.has(how, begin.get()));
      acquisition.attempt.servedOtherwise(head());
    } catch (RuntimeException | Error e) {
      holds.undo(lease, acquisition.owner);
      failed(acquisition, StoreCalls.typed(e));
      return;
    }
    letIn(acquisition.owner);
  }

  /** Lets an owner's other waiters in: behind its own hold they would wait for themselves. */
  private void letIn(Object owner) {
    for (Acquisition other : List.copyOf(queue)) {
      if (other.owner == owner) {
        letIn(other, () -> {});
        if (other.isServed()) {
          queue.remove(other);
          other.attempt.cleanUp();
        }
      }
    }
  }

  void contended(Acquisition acquisition) {
    letIn(acquisition, () -> leave(acquisition, Decision.REFUSED));
  }

  void failed(Acquisition acquisition, LockException failure) {
    leave(acquisition, Decision.failed(failure));
  }

  /** Fails those who have waited without bound for a store that was of no use for too long. */
  void failOutOfPatience(LockException failure) {
    Stream.concat(queue.stream(), besides.stream())
        .filter(who -> store.isPast(who, terms.storeTimeout()))
        .toList()
        .forEach(who -> failed(who, failure));
  }

  // ---- what the holding needs of the queue; under the mutex ----

  /** The waiter that a lease may pass to inside this process, if any. */
  @Nullable Acquisition successor(RemoteLease lease) {
    Acquisition next = fair || isClosing() ? null : head();
    return next != null && lease.mayPassTo(next) ? next : null;
  }

  /**
   * How many numbers a grant to this one should have for hand-overs: none where nobody else was
   * seen here, so that the lock which one thread at a time uses is no more work for the store.
   */
  int handOversAfter(Acquisition acquisition) {
    boolean crowded = acquisition.queued || queue.size() > (queue.contains(acquisition) ? 1 : 0);
    return fair || !crowded || !acquisition.options.atLeast().isZero()
        ? 0
        : acquisition.options.handOver().times();
  }

  /** A waiter of another process was woken: it goes first. */
  void beCourteous() {
    courteous = true;
  }

  // ---- what handles and views call ----

  Holds holds() {
    return holds;
  }

  HoldCalls holdCalls() {
    return holdCalls;
  }

  // ---- closing ----

  /** Fails waiters and signals the hold as lost; completes when the hold's handles are gone. */
  CompletableFuture<Void> close() {
    return computed(
        () -> {
          List.copyOf(queue).forEach(this::failClosed);
          List.copyOf(besides).forEach(this::failClosed);
          return holds.close(
              new LeaseLoss(name, LeaseLoss.Reason.CLOSED, "the lock manager was closed"));
        });
  }

  void failClosed(Acquisition acquisition) {
    failed(acquisition, Lifecycle.closedFailure());
  }

  /** Whether the manager is about to close: nobody gets the lock any more. */
  boolean isClosing() {
    return lifecycle.isClosing();
  }
}
