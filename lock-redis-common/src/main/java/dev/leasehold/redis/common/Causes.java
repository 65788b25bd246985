package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.Quoted;
import org.jspecify.annotations.Nullable;

/** Searches a failure and its causes. */
public final class Causes {
  private Causes() {}

  /** The outermost failure of a type. */
  public static <T> @Nullable T find(Throwable failure, Class<T> type) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
    }
    return null;
  }

  /** All messages, outermost first, omitting those that the message before already quotes. */
  public static String words(Throwable failure) {
    StringBuilder words = new StringBuilder();
    String last = null;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String message = t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
      if (last == null || !last.contains(message)) {
        words.append(last == null ? "" : ": ").append(message);
        last = message;
      }
    }
    return Quoted.text(words.toString());
  }
}
