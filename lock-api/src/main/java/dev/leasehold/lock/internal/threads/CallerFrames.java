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
import org.jspecify.annotations.Nullable;

/**
 * Copies failures that arose on a thread of the engine or of a client, for a blocking call to
 * throw: with the frames where they arose and, below, those of the caller. Each caller gets its own
 * copy, since one failure may end many calls.
 */
final class CallerFrames {
  /** The prefix of the names of all classes of the engine. */
  private static final String ENGINE =
      CallerFrames.class.getPackageName().replaceFirst("[^.]*$", "");

  private static final List<String> OWN =
      List.of(Thread.class.getName(), CallerFrames.class.getName(), Waits.class.getName());

  private CallerFrames() {}

  /**
   * Returns the failure itself if it arose in this call, or else a copy with the caller's frames.
   */
  static LockException in(LockException failure) {
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
