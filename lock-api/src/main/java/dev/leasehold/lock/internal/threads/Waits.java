package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for futures, and throws their failures with the caller's frames. A failure that arose on a
 * thread of the engine or of a client is copied for each caller, since one may end many calls: with
 * the frames where it arose and, below, those of the caller.
 */
public final class Waits {
  /** The prefix of the names of all classes of the engine. */
  private static final String ENGINE = Waits.class.getPackageName().replaceFirst("[^.]*$", "");

  private static final List<String> OWN = List.of(Thread.class.getName(), Waits.class.getName());

  private Waits() {}

  /** Completes a future as another one ended. */
  public static <T> void complete(
      CompletableFuture<T> future, @Nullable T value, @Nullable Throwable failure) {
    if (failure == null) {
      future.complete(value);
    } else {
      future.completeExceptionally(failure);
    }
  }

  /** Throws this thread's interrupt, if there is one, and clears the flag. */
  public static void checkInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Waits without bound; an interrupt is restored afterwards. */
  public static <T> T join(CompletableFuture<T> future) {
    try {
      return uninterruptibly(future);
    } catch (ExecutionException e) {
      throw unwrapped(e.getCause());
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
    return unwrapped(e.getCause());
  }

  /** Returns what a stage failed with, without what its dependents wrap around it. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Returns the failure as a blocking call throws it. */
  public static RuntimeException unwrapped(@Nullable Throwable failed) {
    Throwable cause = failed == null ? null : cause(failed);
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof LockException failure) {
      return withFrames(failure);
    }
    return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
  }

  /**
   * Returns the failure itself if it arose in this call, or else a copy with the caller's frames.
   */
  private static LockException withFrames(LockException failure) {
    List<StackTraceElement> call =
        Arrays.stream(Thread.currentThread().getStackTrace())
            .dropWhile(frame -> OWN.contains(frame.getClassName()))
            .toList();
    List<StackTraceElement> frames = new ArrayList<>(List.of(failure.getStackTrace()));
    if (endsWith(frames, callersOf(call))) {
      return failure;
    }
    LockException copy = copy(failure, String.valueOf(failure.getMessage()), failure.getCause());
    frames.addAll(call);
    copy.setStackTrace(frames.toArray(StackTraceElement[]::new));
    for (Throwable suppressed : failure.getSuppressed()) {
      copy.addSuppressed(suppressed);
    }
    return copy;
  }

  /** The frames below the engine, which are the same for everything that happens in one call. */
  private static List<StackTraceElement> callersOf(List<StackTraceElement> call) {
    return call.stream().dropWhile(frame -> frame.getClassName().startsWith(ENGINE)).toList();
  }

  private static boolean endsWith(List<StackTraceElement> frames, List<StackTraceElement> end) {
    int from = frames.size() - end.size();
    return from >= 0 && frames.subList(from, frames.size()).equals(end);
  }

  private static LockException copy(
      LockException failure, String message, @Nullable Throwable cause) {
    if (failure instanceof LockStoreException store) {
      return cause == null
          ? new LockStoreException(store.kind(), message)
          : new LockStoreException(store.kind(), message, cause);
    }
    if (failure instanceof LeaseLostException lost) {
      return new LeaseLostException(lost.loss());
    }
    if (failure instanceof LockManagerClosedException) {
      return cause == null
          ? new LockManagerClosedException(message)
          : new LockManagerClosedException(message, cause);
    }
    if (failure instanceof LatchExpiredException) {
      return new LatchExpiredException(message);
    }
    if (failure instanceof LockTimeoutException) {
      return cause == null
          ? new LockTimeoutException(message)
          : new LockTimeoutException(message, cause);
    }
    return cause == null
        ? new LockConfigurationException(message)
        : new LockConfigurationException(message, cause);
  }
}
