package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.LockException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Waits for futures, and throws their failures with the caller's frames. */
public final class Waits {
  private Waits() {}

  /** Waits without bound; an interrupt is restored afterwards. */
  public static <T> T join(CompletableFuture<T> future) {
    try {
      return uninterruptibly(future);
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  /** As {@link #join}, but throws an outcome that is an interrupt as this thread's own. */
  static <T> T joinInterrupted(CompletableFuture<T> future) throws InterruptedException {
    try {
      return uninterruptibly(future);
    } catch (ExecutionException e) {
      throw interruptOr(e);
    }
  }

  private static <T> T uninterruptibly(CompletableFuture<T> future) throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Returns the failure as a blocking call throws it. Throws an interrupt with the caller's frames,
   * and clears the thread's interrupt flag.
   */
  static RuntimeException interruptOr(ExecutionException e) throws InterruptedException {
    if (e.getCause() instanceof InterruptedException) {
      Thread.interrupted();
      throw new InterruptedException();
    }
    return unwrapped(e);
  }

  public static RuntimeException unwrapped(ExecutionException e) {
    return unwrapped(e.getCause());
  }

  /** Returns the failure as a blocking call throws it. */
  public static RuntimeException unwrapped(@Nullable Throwable failed) {
    Throwable cause = failed;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof LockException failure) {
      return CallerFrames.in(failure);
    }
    return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
  }
}
