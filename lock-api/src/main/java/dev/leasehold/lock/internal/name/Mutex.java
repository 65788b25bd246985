package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.threads.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A mutex with an outbox: no external code is called under it. A step under the mutex queues
 * actions, which run after the mutex is released. An exception from a step reaches its caller, but
 * the mutex is released and the queued actions run nevertheless.
 *
 * <p>It is its own synchronizer: a {@link java.util.concurrent.locks.ReentrantLock} would be two
 * more objects for each name. Only this class calls the inherited methods.
 */
@SuppressWarnings("serial") // of the superclass; never serialized
public class Mutex extends AbstractQueuedSynchronizer {
  private final Owner owner;

  /** The queued actions of the turn that is on; null if there are none. */
  private @Nullable List<Runnable> outgoing;

  /** The owner of the state that a mutex guards. */
  public interface Owner {
    /** The last action of each step. Called under the mutex only. */
    void settle();

    /** Returns what runs the queued actions. */
    Outbox outbox();
  }

  /** Creates a free mutex. */
  public Mutex(Owner owner) {
    this.owner = owner;
  }

  /** Runs a step under the mutex; the actions it queued run on this thread afterwards. */
  public final void locked(Runnable step) {
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
  public final void lockedByTimer(Runnable step) {
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
  public final <T extends @Nullable Object> T computed(Supplier<T> step) {
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
  public final boolean begin() {
    if (isHeld()) {
      return false;
    }
    acquire(1);
    return true;
  }

  /** Ends a step; the actions it queued run on this thread. */
  public final void end() {
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
        send.accept(owner.outbox(), queued);
      }
    }
  }

  /** Takes in what a call to the store ends with, in a turn of its own. */
  public final <T> void onAnswer(CompletableFuture<T> call, AnswerHandler<T> handler) {
    call.whenComplete(
        (answer, failure) -> {
          LockException typed =
              failure != null
                  ? StoreCalls.typed(failure)
                  : answer == null ? StoreCalls.noAnswer() : null;
          locked(() -> handler.take(answer, typed));
        });
  }

  /** Returns whether this thread is in a step under the mutex, for assertions. */
  public final boolean isHeld() {
    return getExclusiveOwnerThread() == Thread.currentThread();
  }

  /** Queues an action to run after the mutex is released. Called in a step only. */
  public final void after(Runnable outward) {
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
    return queued == null ? List.of() : owner.outbox().counted(queued);
  }

  // ---- the synchronizer ----

  @Override
  protected final boolean tryAcquire(int one) {
    if (!compareAndSetState(0, one)) {
      return false;
    }
    setExclusiveOwnerThread(Thread.currentThread());
    return true;
  }

  @Override
  protected final boolean tryRelease(int one) {
    setExclusiveOwnerThread(null);
    setState(0);
    return true;
  }
}
