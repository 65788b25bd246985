package dev.leasehold.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Calls to nodes, one at a time to each node, in order. Thread-safe. */
final class Turns {
  private final ReentrantLock mutex = new ReentrantLock();
  private final List<CompletableFuture<?>> tails = new ArrayList<>();

  Turns(int nodes) {
    for (int i = 0; i < nodes; i++) {
      tails.add(CompletableFuture.completedFuture(null));
    }
  }

  /** Runs a call to a node after the earlier ones have ended. */
  <T> CompletableFuture<T> next(Member node, Supplier<CompletableFuture<T>> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<?> before;
    mutex.lock();
    try {
      before = Objects.requireNonNull(tails.set(node.index, result));
    } finally {
      mutex.unlock();
    }
    before.whenComplete((value, failure) -> start(call, result));
    return result;
  }

  /** Completes the result whatever the call throws, so that the next call can start. */
  private static <T> void start(Supplier<CompletableFuture<T>> call, CompletableFuture<T> result) {
    try {
      pass(call.get(), result);
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  private static <T> void pass(CompletableFuture<T> from, CompletableFuture<T> to) {
    from.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            to.complete(value);
          } else {
            to.completeExceptionally(failure);
          }
        });
  }

  /** Whether no call to a node is under way. */
  boolean isFree(Member node) {
    mutex.lock();
    try {
      return tails.get(node.index).isDone();
    } finally {
      mutex.unlock();
    }
  }

  /** Runs {@code then} when the calls under way have ended. */
  void whenHeard(Runnable then) {
    CompletableFuture<?>[] all;
    mutex.lock();
    try {
      all = tails.toArray(new CompletableFuture<?>[0]);
    } finally {
      mutex.unlock();
    }
    CompletableFuture.allOf(all).whenComplete((done, failure) -> then.run());
  }
}
