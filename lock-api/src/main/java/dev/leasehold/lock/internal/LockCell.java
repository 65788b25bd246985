package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * All that one manager knows of one name: who waits for it here, and ({@link Holds}) who holds it.
 *
 * <p>One {@link Mutex} guards it. Each turn ends in {@link #settle}, which starts the one contender
 * that this process has on the store.
 */
final class LockCell {
  /** How often to ask where the store wakes nobody. */
  final PollingPace pace = new PollingPace();

  private final LockKind kind;
  private final String name;
  private final Timing time;
  private final LeaseStore whole;
  private final StoreOperations operations;
  private final Events events;
  private final Lifecycle lifecycle;
  private final Consumer<LockCell> onIdle;
  private final Mutex mutex;
  private final StoreHealth store;
  private final Holds holds;
  private final HoldCalls holdCalls;
  private final Leftovers leftovers;
  private final Waiters waiters;
  private boolean dead;

  LockCell(String name, Cells cells, Env env, Consumer<LockCell> onIdle) {
    this.kind = cells.kind();
    this.name = name;
    this.time = env.time();
    this.whole = env.store().store();
    this.operations = cells.store();
    this.events = env.events();
    this.lifecycle = env.lifecycle();
    this.onIdle = onIdle;
    this.mutex = new Mutex(lifecycle.outbox(), this::settle);
    this.store = new StoreHealth(time);
    LostHolds lost = new LostHolds(this, env.log(), lifecycle.reclaimer());
    this.holds = new Holds(this, cells.sharing(), env, lost);
    this.leftovers = new Leftovers(this, time, operations.releases());
    this.holdCalls = new HoldCalls(this, time, events);
    this.waiters = new Waiters(this, env, operations, mutex, cells.promises(Guarantee.FAIR));
  }

  LockKind kind() {
    return kind;
  }

  String name() {
    return name;
  }

  long now() {
    return time.now();
  }

  /** Refuses a lease that the store never grants. */
  void checkLongest(Duration lease) {
    whole.checkLongest("a lease", lease);
  }

  /** Of the cells of a semaphore. */
  PermitStore permitStore() {
    return (PermitStore) whole;
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
    waiters.settle();
    if (waiters.isEmpty() && leftovers.isEmpty() && holds.isForgotten() && !dead) {
      dead = true;
      onIdle.accept(this);
    }
  }

  // ---- coming and going of waiters ----

  /** Takes a waiter in; false if this cell is dead and its map has, or gets, another. */
  boolean enter(Acquisition acquisition) {
    return computed(
        () -> {
          if (dead) {
            return false;
          }
          if (isClosing()) {
            waiters.failClosed(acquisition);
            return true;
          }
          waiters.enter(acquisition);
          return true;
        });
  }

  /** Gives a waiter's place up: true if it had no outcome yet. Its future is left to the caller. */
  boolean giveUp(Acquisition acquisition) {
    return computed(() -> waiters.giveUp(acquisition));
  }

  /** A timed waiter's time is up. */
  void timeUp(Acquisition acquisition) {
    locked(() -> waiters.timeUp(acquisition));
  }

  /** The same of one that waits at least for its first answer: whether it still waits. */
  boolean endsAtAnswer(Acquisition acquisition) {
    return computed(() -> waiters.endsAtAnswer(acquisition));
  }

  // ---- the rooms behind ----

  Waiters waiters() {
    return waiters;
  }

  StoreHealth store() {
    return store;
  }

  Leftovers leftovers() {
    return leftovers;
  }

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
          waiters.failClosed();
          return holds.close(
              new LeaseLoss(kind, name, LeaseLoss.Reason.CLOSED, "the lock manager was closed"));
        });
  }

  /** Whether the manager is about to close: nobody gets the lock any more. */
  boolean isClosing() {
    return lifecycle.isClosing();
  }
}
