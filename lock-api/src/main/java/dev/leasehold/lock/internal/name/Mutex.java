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

/**
 * A mutex with an outbox: no external code is called under it. A step under the mutex queues
 * actions, which run after the mutex is released. An exception from a step reaches its caller, but
 * the mutex is released and the queued actions run nevertheless.
 */
public final class Mutex {
  private final ReentrantLock lock = new ReentrantLock();
  private final Outbox outbox;
  private final Runnable settle;
  private List<Runnable> outgoing = new ArrayList<>(2);

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
    locked(step, outbox::send);
  }

  /**
   * Runs a step on a timer's thread, which must not be blocked: the queued actions run elsewhere.
   */
  void lockedByTimer(Runnable step) {
    locked(step, outbox::sendElsewhere);
  }

  private void locked(Runnable step, Consumer<List<Runnable>> send) {
    if (lock.isHeldByCurrentThread()) {
      step.run(); // nested: a part of the current step
      return;
    }
    List<Runnable> todo;
    lock.lock();
    try {
      step.run();
    } finally {
      try {
        settle.run();
      } finally {
        todo = taken();
        lock.unlock();
        send.accept(todo);
      }
    }
  }

  public <T> T computed(Supplier<T> step) {
    List<T> result = new ArrayList<>(1);
    locked(() -> result.add(step.get()));
    return result.get(0);
  }

  /** Handles the answer to a call to the store, or its failure, in a step of its own. */
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

  /** Queues an action to run after the mutex is released. Called in a step only. */
  public void after(Runnable outward) {
    outgoing.add(outward);
  }

  private List<Runnable> taken() {
    if (outgoing.isEmpty()) {
      return List.of();
    }
    List<Runnable> todo = outgoing;
    outgoing = new ArrayList<>(2);
    return outbox.counted(todo);
  }
}
