package dev.leasehold.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for conditions and stages rather than for a fixed time. */
public final class Await {
  private static final long FIRST_POLL_MILLIS = 1;
  private static final long LAST_POLL_MILLIS = 16;

  private Await() {}

  /** The time allowed for events that should happen soon; a generous limit, not a measurement. */
  public static Duration patience() {
    return TimeScale.seconds(30);
  }

  /** Waits until a condition holds, for at most {@link #patience()}. */
  public static void until(String what, Callable<Boolean> condition) {
    until(what, patience(), condition);
  }

  /** Waits until a condition holds; fails with {@code what} after this time. */
  public static void until(String what, Duration atMost, Callable<Boolean> condition) {
    long start = System.nanoTime();
    long pause = FIRST_POLL_MILLIS;
    try {
      while (!condition.call()) {
        if (System.nanoTime() - start > atMost.toNanos()) {
          throw new AssertionError("not within " + atMost + ": " + what);
        }
        Thread.sleep(pause);
        pause = Math.min(2 * pause, LAST_POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for: " + what, e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("failed while waiting for: " + what, e);
    }
  }

  /** Waits for a stage and returns its value, or throws the exception with which it failed. */
  public static <T> T value(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(patience().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no outcome within " + patience(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for an outcome", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      if (cause instanceof Error error) {
        throw error;
      }
      throw new CompletionException(cause);
    }
  }

  /** Lets time pass, for rules about time itself. */
  public static void pass(Duration time) {
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while time passed", e);
    }
  }
}
