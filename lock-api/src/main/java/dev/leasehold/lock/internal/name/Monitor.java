package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The monitor of one name: its {@link Mutex}, and what all code under the mutex uses: the name, the
 * time, the listeners, the health of the store. It does not depend on the name's waiters and holds.
 */
public final class Monitor {
  private final LockKind kind;
  private final String name;
  private final Timing time;
  private final Events events;
  private final Lifecycle lifecycle;
  private final Mutex mutex;
  private final StoreHealth store;

  /**
   * Creates a monitor whose mutex is free.
   *
   * @param settle the last action of each step under the mutex
   */
  public Monitor(
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

  public LockKind kind() {
    return kind;
  }

  public String name() {
    return name;
  }

  public Timing time() {
    return time;
  }

  public long now() {
    return time.now();
  }

  /** Returns the health of the store, as seen by the calls for this name. */
  public StoreHealth store() {
    return store;
  }

  /** Returns whether the manager is closing: the lock is not granted any more. */
  public boolean isClosing() {
    return lifecycle.isClosing();
  }

  // ---- steps under the mutex ----

  public Mutex mutex() {
    return mutex;
  }

  /** Returns whether this thread is in a step under the mutex, for assertions. */
  public boolean isHeld() {
    return mutex.isHeld();
  }

  /** Runs a step under the mutex, and the actions that it queued after the mutex is released. */
  public void locked(Runnable step) {
    mutex.locked(step);
  }

  /**
   * Runs a step like {@link #locked}, on a timer's thread: another thread runs the queued actions.
   */
  public void lockedByTimer(Runnable step) {
    mutex.lockedByTimer(step);
  }

  public <T> T computed(Supplier<T> step) {
    return mutex.computed(step);
  }

  /** Queues an action to run after the mutex is released. Called under the mutex only. */
  public void after(Runnable outward) {
    mutex.after(outward);
  }

  /**
   * Handles the answer to a call to the store, or its failure, in a step of its own under the
   * mutex.
   */
  public <T> void onAnswer(CompletableFuture<T> call, AnswerHandler<T> handler) {
    mutex.onAnswer(call, handler);
  }

  // ---- listeners ----

  /** Returns whether there are event listeners. */
  public boolean isHeard() {
    return events.areHeard();
  }

  /**
   * Queues an event for the listeners, which are called after the mutex is released. Called under
   * the mutex only.
   */
  public void tell(Supplier<LockEvent> event) {
    if (events.areHeard()) {
      LockEvent happened = event.get();
      after(() -> events.tell(happened));
    }
  }

  /**
   * Queues a callback of the user's, to run after the mutex is released. Called under the mutex
   * only.
   */
  public void callBack(Runnable callback) {
    after(() -> events.run(callback));
  }
}
