package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The monitor of one name: its {@link Mutex}, and what everything that the mutex guards has in
 * common: which name it is, the time, who listens, how the store does. It knows nothing of who
 * waits for the name or holds it.
 */
final class Monitor {
  private final LockKind kind;
  private final String name;
  private final Timing time;
  private final Events events;
  private final Lifecycle lifecycle;
  private final Mutex mutex;
  private final StoreHealth store;

  /**
   * A free one.
   *
   * @param settle the last step of each turn
   */
  Monitor(
      LockKind kind,
      String name,
      Timing time,
      Events events,
      Lifecycle lifecycle,
      Runnable settle) {
    this.kind = kind;
    this.name = name;
    this.time = time;
    this.events = events;
    this.lifecycle = lifecycle;
    this.mutex = new Mutex(lifecycle.outbox(), settle);
    this.store = new StoreHealth(time);
  }

  LockKind kind() {
    return kind;
  }

  String name() {
    return name;
  }

  Timing time() {
    return time;
  }

  long now() {
    return time.now();
  }

  /** How the store does, as the calls for this name tell. */
  StoreHealth store() {
    return store;
  }

  /** Whether the manager is about to close: nobody gets the lock any more. */
  boolean isClosing() {
    return lifecycle.isClosing();
  }

  // ---- turns ----

  Mutex mutex() {
    return mutex;
  }

  /** Runs a step under the mutex, and the actions that it queued when the mutex is free. */
  void locked(Runnable step) {
    mutex.locked(step);
  }

  /** As {@link #locked}, on a timer's thread: another thread runs the queued actions. */
  void lockedByTimer(Runnable step) {
    mutex.lockedByTimer(step);
  }

  <T> T computed(Supplier<T> step) {
    return mutex.computed(step);
  }

  /** Queues an action for when the mutex is free. Under the mutex only. */
  void after(Runnable outward) {
    mutex.after(outward);
  }

  /** Takes in what a call to the store ends with, in a turn of its own. */
  <T> void onAnswer(CompletableFuture<T> call, Answered<T> handler) {
    mutex.onAnswer(call, handler);
  }

  // ---- who listens ----

  /** Whether anybody listens to events. */
  boolean isHeard() {
    return events.areHeard();
  }

  /** Tells listeners when the mutex is free. Under the mutex only. */
  void tell(Supplier<LockEvent> event) {
    if (events.areHeard()) {
      LockEvent happened = event.get();
      after(() -> events.tell(happened));
    }
  }

  /** Runs a callback of the user's when the mutex is free. Under the mutex only. */
  void callBack(Runnable callback) {
    after(() -> events.run(callback));
  }
}
