package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.threads.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A mutex with an outbox: no external code is called under it. A step under the mutex queues
 * actions, which run after the mutex is released. An exception from a step reaches its caller, but
 * the mutex is released and the queued actions run nevertheless.
 */
public final class Mutex {
  private final ReentrantLock lock = new ReentrantLock();
  private final Outbox outbox;
  private final Runnable settle;

  /** The queued actions of the turn that is on; null if there are none. */
  private @Nullable List<Runnable> outgoing;

  /**
   * Creates a free mutex.
   *
   * @param settle the last action of each step
   */
  public Mutex(Outbox outbox, Runnable settle) {
    this.outbox = outbox;
    this.settle = settle;
  }

  /** Runs a step under the mutex; the actions it queued run on this thread afterwards. */
  public void locked(Runnable step) {
    turn(asSupplier(step), outbox::send);
  }

  /**
   * Runs a step on a timer's thread, which must not be blocked: the queued actions run elsewhere.
   */
  void lockedByTimer(Runnable step) {
    turn(asSupplier(step), outbox::sendElsewhere);
  }

  /** As {@link #locked}, with a result. */
  public <T extends @Nullable Object> T computed(Supplier<T> step) {
    return turn(step, outbox::send);
  }

  private static Supplier<@Nullable Void> asSupplier(Runnable step) {
    return () -> {
      step.run();
      return null;
    };
  }

  private <T extends @Nullable Object> T turn(Supplier<T> step, Consumer<List<Runnable>> send) {
    if (lock.isHeldByCurrentThread()) {
      return step.get(); // a part of the turn that goes on
    }
    lock.lock();
    try {
      return step.get();
    } finally {
      List<Runnable> todo = List.of();
      try {
        settle.run();
      } finally {
        todo = taken();
        lock.unlock();
        send.accept(todo);
      }
    }
  }

  /** Takes in what a call to the store ends with, in a turn of its own. */
  public <T> void onAnswer(CompletableFuture<T> call, AnswerHandler<T> handler) {
    call.whenComplete(
        (answer, failure) -> {
          LockException typed =
              failure != null
                  ? StoreCalls.typed(failure)
                  : answer == null ? StoreCalls.noAnswer() : null;
          locked(() -> handler.take(answer, typed));
        });
  }

  /** Returns whether this thread has it, for assertions. */
  boolean isHeld() {
    return lock.isHeldByCurrentThread();
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
    return queued == null ? List.of() : outbox.counted(queued);
  }
}
