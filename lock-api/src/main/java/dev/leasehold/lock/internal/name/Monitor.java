package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.threads.Outbox;
import dev.leasehold.lock.internal.threads.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The monitor of one name: a mutex with an outbox, and what all code under the mutex uses: the
 * name, the time, the listeners, the health of the store. It does not depend on the name's waiters
 * and holds.
 *
 * <p>No external code is called under the mutex. A step under it queues actions, which run after
 * the mutex is released. An exception from a step reaches its caller, but the mutex is released and
 * the queued actions run nevertheless.
 *
 * <p>It is its own synchronizer: a {@link java.util.concurrent.locks.ReentrantLock} would be two
 * more objects for each name. Only this class calls the inherited methods.
 */
@SuppressWarnings("serial") // of the superclass; never serialized
public final class Monitor extends AbstractQueuedSynchronizer {
  private final KindServices services;
  private final String name;
  private final Owner owner;
  private StoreHealth store;

  /** The queued actions of the turn that is on; null if there are none. */
  private @Nullable List<Runnable> outgoing;

  /** The owner of the state that a monitor guards. */
  public interface Owner {
    /** The last action of each step. Called under the mutex only. */
    void settle();
  }

  /** Handles a store's answer, or the failure that came in its place. */
  public interface AnswerHandler<T> {
    /** Called under the name's mutex. */
    void take(@Nullable T answer, @Nullable LockException failure);
  }

  /** Creates a monitor whose mutex is free. */
  public Monitor(String name, KindServices services, Owner owner) {
    this.services = services;
    this.name = name;
    this.owner = owner;
    this.store = services.healthy();
  }

  public KindServices services() {
    return services;
  }

  public LockKind kind() {
    return services.kind();
  }

  public String name() {
    return name;
  }

  public Timing time() {
    return services.time();
  }

  public long now() {
    return services.time().now();
  }

  /** Returns whether the manager is closing: the lock is not granted any more. */
  public boolean isClosing() {
    return services.lifecycle().isClosing();
  }

  // ---- the store; under the mutex ----

  /** Returns the health of the store, as seen by the calls for this name. */
  public StoreHealth store() {
    return store;
  }

  /** Records that the store gave a usable answer. */
  public void answered() {
    store = services.healthy();
  }

  /** Records that the store failed a call that was sent at this time. */
  public void troubled(LockException failure, long sentAt) {
    store = store.troubled(failure, sentAt);
  }

  // ---- listeners ----

  /** Returns whether there are event listeners. */
  public boolean isHeard() {
    return services.events().areHeard();
  }

  /**
   * Queues an event for the listeners, which are called after the mutex is released. Called under
   * the mutex only.
   *
   * @param event created of the kind and the name, if there are listeners
   */
  public void tell(BiFunction<LockKind, String, LockEvent> event) {
    if (isHeard()) {
      LockEvent happened = event.apply(kind(), name);
      after(() -> services.events().tell(happened));
    }
  }

  /**
   * Queues a callback of the user's, to run after the mutex is released. Called under the mutex
   * only.
   */
  public void callBack(Runnable callback) {
    after(() -> services.events().run(callback));
  }

  /** Describes a loss of the name. */
  public LeaseLoss loss(LeaseLoss.Reason reason, String detail) {
    return new LeaseLoss(kind(), name, reason, detail);
  }

  // ---- the mutex ----

  /** Runs a step under the mutex; the actions it queued run on this thread afterwards. */
  public void locked(Runnable step) {
    boolean begun = begin();
    try {
      step.run();
    } finally {
      if (begun) {
        end();
      }
    }
  }

  /**
   * Runs a step on a timer's thread, which must not be blocked: the queued actions run elsewhere.
   */
  public void lockedByTimer(Runnable step) {
    boolean begun = begin();
    try {
      step.run();
    } finally {
      if (begun) {
        end(Outbox::sendElsewhere);
      }
    }
  }

  /** As {@link #locked}, with a result. */
  public <T extends @Nullable Object> T computed(Supplier<T> step) {
    boolean begun = begin();
    try {
      return step.get();
    } finally {
      if (begun) {
        end();
      }
    }
  }

  /**
   * Begins a step, which must call {@link #end} whatever is thrown, if this returns true; if not,
   * it is a part of a step that goes on. For the few steps that must not cost an object; all others
   * are passed to {@link #locked} or {@link #computed}.
   */
  public boolean begin() {
    if (isHeld()) {
      return false;
    }
    acquire(1);
    return true;
  }

  /** Ends a step; the actions it queued run on this thread. */
  public void end() {
    end(Outbox::send);
  }

  private void end(BiConsumer<Outbox, List<Runnable>> send) {
    try {
      owner.settle();
    } finally {
      List<Runnable> queued = List.of();
      try {
        queued = taken();
      } finally {
        release(1);
      }
      if (!queued.isEmpty()) {
        send.accept(services.outbox(), queued);
      }
    }
  }

  /** Takes in what a call to the store ends with, in a turn of its own. */
  public <T> void onAnswer(CompletableFuture<T> call, AnswerHandler<T> handler) {
    call.whenComplete(
        (answer, failure) -> {
          LockException typed = failure == null ? null : StoreCalls.typed(failure);
          locked(() -> handler.take(answer, typed));
        });
  }

  /** Returns whether this thread is in a step under the mutex, for assertions. */
  public boolean isHeld() {
    return getExclusiveOwnerThread() == Thread.currentThread();
  }

  /** Queues an action to run after the mutex is released. Called in a step only. */
  public void after(Runnable outward) {
    assert isHeld();
    List<Runnable> queued = outgoing;
    if (queued == null) {
      queued = new ArrayList<>(4);
      outgoing = queued;
    }
    queued.add(outward);
  }

  private List<Runnable> taken() {
    List<Runnable> queued = outgoing;
    outgoing = null;
    return queued == null ? List.of() : services.outbox().counted(queued);
  }

  // ---- the synchronizer ----

  @Override
  protected boolean tryAcquire(int one) {
    if (!compareAndSetState(0, one)) {
      return false;
    }
    setExclusiveOwnerThread(Thread.currentThread());
    return true;
  }

  @Override
  protected boolean tryRelease(int one) {
    setExclusiveOwnerThread(null);
    setState(0);
    return true;
  }
}
