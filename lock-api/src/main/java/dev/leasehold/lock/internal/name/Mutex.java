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
 * A mutex with an outbox: nothing goes out under it. A turn puts down what is to be done outside,
 * and that is done when the mutex is free. What a turn throws comes to its caller, but keeps
 * neither the mutex nor what was put down.
 */
public final class Mutex {
  private final ReentrantLock lock = new ReentrantLock();
  private final Outbox outbox;
  private final Runnable settle;

  /** The queued actions of the turn that is on; null if there are none. */
  private @Nullable List<Runnable> outgoing;

  /**
   * A free one.
   *
   * @param settle the last step of each turn
   */
  public Mutex(Outbox outbox, Runnable settle) {
    this.outbox = outbox;
    this.settle = settle;
  }

  /** Runs a step under the mutex, and then, on this thread, the actions that it queued. */
  public void locked(Runnable step) {
    turn(asSupplier(step), outbox::send);
  }

  /** As {@link #locked}, on a timer's thread: another thread runs the queued actions. */
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

  /** Puts down what is to be done when the mutex is free. In a turn only. */
  public void after(Runnable outward) {
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
