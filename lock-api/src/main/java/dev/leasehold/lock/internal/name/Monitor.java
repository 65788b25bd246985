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
 * The monitor of one name: its {@link Mutex}, and what everything that the mutex guards has in
 * common: which name it is, the time, who listens, how the store does. It knows nothing of who
 * waits for the name or holds it.
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
   * A free one.
   *
   * @param settle the last step of each turn
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

  /** How the store does, as the calls for this name tell. */
  public StoreHealth store() {
    return store;
  }

  /** Whether the manager is about to close: nobody gets the lock any more. */
  public boolean isClosing() {
    return lifecycle.isClosing();
  }

  // ---- turns ----

  public Mutex mutex() {
    return mutex;
  }

  /** Runs a step under the mutex, and the actions that it queued when the mutex is free. */
  public void locked(Runnable step) {
    mutex.locked(step);
  }

  /** As {@link #locked}, on a timer's thread: another thread runs the queued actions. */
  public void lockedByTimer(Runnable step) {
    mutex.lockedByTimer(step);
  }

  public <T> T computed(Supplier<T> step) {
    return mutex.computed(step);
  }

  /** Queues an action for when the mutex is free. Under the mutex only. */
  public void after(Runnable outward) {
    mutex.after(outward);
  }

  /** Takes in what a call to the store ends with, in a turn of its own. */
  public <T> void onAnswer(CompletableFuture<T> call, AnswerHandler<T> handler) {
    mutex.onAnswer(call, handler);
  }

  // ---- who listens ----

  /** Whether anybody listens to events. */
  public boolean isHeard() {
    return events.areHeard();
  }

  /** Tells listeners when the mutex is free. Under the mutex only. */
  public void tell(Supplier<LockEvent> event) {
    if (events.areHeard()) {
      LockEvent happened = event.get();
      after(() -> events.tell(happened));
    }
  }

  /** Runs a callback of the user's when the mutex is free. Under the mutex only. */
  public void callBack(Runnable callback) {
    after(() -> events.run(callback));
  }
}
