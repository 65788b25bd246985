package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.redis.common.RedisErrors;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import org.jspecify.annotations.Nullable;

/** Turns Lettuce's exceptions into the store's. */
final class Failures {
  private Failures() {}

  /** With what was tried, and the words of the server or else of the client, outermost first. */
  static LockStoreException of(Throwable failure, String what) {
    RedisCommandExecutionException answer = find(failure, RedisCommandExecutionException.class);
    if (answer != null) {
      String words = String.valueOf(answer.getMessage());
      return new LockStoreException(RedisErrors.kind(words), what + ": " + words, failure);
    }
    Kind kind =
        find(failure, RedisCommandTimeoutException.class) == null
            ? Kind.UNREACHABLE
            : Kind.TIMED_OUT;
    return new LockStoreException(kind, what + ": " + words(failure), failure);
  }

  private static String words(Throwable failure) {
    StringBuilder words = new StringBuilder();
    String last = null;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String message = t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
      if (last == null || !last.contains(message)) {
        words.append(last == null ? "" : ": ").append(message);
        last = message;
      }
    }
    return words.toString();
  }

  private static <T> @Nullable T find(Throwable failure, Class<T> type) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
    }
    return null;
  }
}
