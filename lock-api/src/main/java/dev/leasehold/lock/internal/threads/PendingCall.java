package dev.leasehold.lock.internal.threads;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for an outcome, which another thread decides: the caller blocks, or has a
 * future. Its wait may end early: its time is up, its thread is interrupted, or its future is
 * completed by the caller.
 *
 * @param <T> the outcome
 */
public interface PendingCall<T> {
  /** Completed once, with the outcome. */
  CompletableFuture<T> outcome();

  /** Ends the wait because its time is up; the outcome is then completed. */
  void timeUp();

  /**
   * Ends the wait without an outcome. Returns false if it has one already, or will have at once.
   */
  boolean giveUp();

  /**
   * Waits for the outcome, and throws its failure with the caller's frames.
   *
   * @param most the longest wait; null for one that ends by itself
   * @param longer called when the time is up: how much longer to wait all the same
   */
  default T await(@Nullable Duration most, Supplier<Duration> longer) throws InterruptedException {
    try {
      return most == null ? outcome().get() : awaited(most, longer);
    } catch (TimeoutException e) {
      timeUp();
      return Waits.joinInterrupted(outcome());
    } catch (InterruptedException e) {
      if (giveUp()) {
        throw e;
      }
      // Decided at the same moment: return that outcome, and keep the interrupt flag set.
      Thread.currentThread().interrupt();
      return Waits.join(outcome());
    } catch (ExecutionException e) {
      throw Waits.interruptOr(e);
    }
  }

  /** As {@link #await(Duration, Supplier)}, and no longer than that. */
  default T await(@Nullable Duration most) throws InterruptedException {
    return await(most, () -> Duration.ZERO);
  }

  private T awaited(Duration most, Supplier<Duration> longer)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return outcome().get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      Duration more = longer.get();
      if (more.isZero()) {
        throw e;
      }
      return outcome().get(more.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Returns a future of the outcome. If the caller completes it otherwise, the wait ends.
   *
   * @param most the longest wait; empty for one that ends by itself
   * @param delivering completes the future
   * @param shape converts the outcome to what the future has
   * @param unused gets an outcome that the future was not completed with
   */
  default <R extends @Nullable Object> CompletableFuture<R> async(
      Optional<Duration> most,
      Timing time,
      Executor delivering,
      Function<T, R> shape,
      Consumer<T> unused) {
    CompletableFuture<R> result = new CompletableFuture<>();
    Runnable cancelTimer = most.map(span -> timer(span, time, result)).orElse(() -> {});
    result.whenComplete(
        (value, failure) -> {
          if (!outcome().isDone()) { // canceled, timed out or completed by its caller
            cancelTimer.run();
            giveUp();
          } else if (!outcome().isCompletedExceptionally()) {
            // At once, because the executor may be busy for long.
            T found = outcome().join();
            if (!Objects.equals(shape.apply(found), value)) {
              unused.accept(found);
            }
          }
        });
    outcome()
        .whenComplete(
            (found, failure) -> {
              cancelTimer.run();
              Runnable deliver =
                  () -> {
                    if (failure != null) {
                      result.completeExceptionally(failure);
                    } else if (!result.complete(shape.apply(found))) {
                      unused.accept(found); // given up meanwhile
                    }
                  };
              if (result.isDone()) {
                deliver.run(); // given up: no need for the executor
              } else {
                delivering.execute(deliver);
              }
            });
    return result;
  }

  /** Ends the wait after this time; returns what cancels that. Without a timer it ends now. */
  private Runnable timer(Duration span, Timing time, CompletableFuture<?> result) {
    try {
      return time.later(span, this::timeUp)::cancel;
    } catch (RuntimeException | Error e) { // the wait might never end
      result.completeExceptionally(e);
      return () -> {};
    }
  }
}
