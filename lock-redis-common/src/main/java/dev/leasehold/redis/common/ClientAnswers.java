package dev.leasehold.redis.common;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a client's replies, or passes them on. */
public final class ClientAnswers {
  private ClientAnswers() {}

  /** Completes a stage as another one. */
  public static <T> void pass(CompletionStage<T> from, CompletableFuture<T> to) {
    from.whenComplete(
        (answer, failure) -> {
          if (failure == null) {
            to.complete(answer);
          } else {
            to.completeExceptionally(failure);
          }
        });
  }

  /**
   * The result of a call, which is given up after a time-out. An interrupt does not end the wait,
   * and is restored. Does not use {@link CompletableFuture#orTimeout}: its one thread for the whole
   * JVM keeps the class loader of the first application that uses it.
   *
   * @throws CompletionException with the call's failure, or a {@link TimeoutException}
   */
  public static <T> T within(Duration time, CompletableFuture<T> call) {
    long end = System.nanoTime() + time.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return call.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          call.completeExceptionally(e); // so that the client drops it
          throw new CompletionException(e);
        } catch (ExecutionException e) {
          throw new CompletionException(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
