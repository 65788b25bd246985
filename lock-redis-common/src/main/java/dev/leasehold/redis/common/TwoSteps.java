package dev.leasehold.redis.common;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Two calls in sequence as one. Cancelling it cancels the call that is in flight.
 *
 * @param <R> result of the second
 */
public final class TwoSteps<R> extends CompletableFuture<R> {
  private volatile CompletableFuture<?> underWay;

  /**
   * Starts the second call when the first has succeeded; fails if the first fails.
   *
   * @param first already started
   */
  public TwoSteps(CompletableFuture<?> first, Supplier<? extends CompletionStage<R>> second) {
    underWay = first;
    first.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            completeExceptionally(failure);
          } else if (!isDone()) {
            goOn(second.get().toCompletableFuture());
          }
        });
  }

  private void goOn(CompletableFuture<R> second) {
    underWay = second;
    if (isCancelled()) {
      second.cancel(true);
    }
    ClientAnswers.pass(second, this);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    underWay.cancel(mayInterruptIfRunning);
    return cancelled;
  }
}
