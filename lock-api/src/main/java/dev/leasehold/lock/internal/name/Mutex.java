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
 * A mutex with an outbox: nothing goes out under it. A turn puts down what is to be done outside,
 * and that is done when the mutex is free. What a turn throws comes to its caller, but keeps
 * neither the mutex nor what was put down.
 */
public final class Mutex {
  private final ReentrantLock lock = new ReentrantLock();
  private final Outbox outbox;
  private final Runnable settle;
  private List<Runnable> outgoing = new ArrayList<>(2);

  /**
   * A free one.
   *
   * @param settle the last step of each turn
   */
  public Mutex(Outbox outbox, Runnable settle) {
    this.outbox = outbox;
    this.settle = settle;
  }

  /** One turn; what it puts down is done on this thread. */
  public void locked(Runnable step) {
    locked(step, outbox::send);
  }

  /** One turn on a timer's thread, which has time for nothing else. */
  void lockedByTimer(Runnable step) {
    locked(step, outbox::sendElsewhere);
  }

  private void locked(Runnable step, Consumer<List<Runnable>> send) {
    if (lock.isHeldByCurrentThread()) {
      step.run(); // a part of the turn that goes on
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

  /** Puts down what is to be done when the mutex is free. In a turn only. */
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
