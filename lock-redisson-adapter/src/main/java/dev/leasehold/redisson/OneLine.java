package dev.leasehold.redisson;

import dev.leasehold.lock.spi.Quoted;
import java.util.stream.Stream;
import org.redisson.client.RedisException;

/**
 * A copy of an exception of Redisson's that is safe to log: line breaks and other invisible
 * characters in its messages are escaped, as in our own messages. Redisson quotes what it sent,
 * including the lock's name, which must not begin a line of a log. Class name, frames and causes
 * are the original's.
 */
final class OneLine extends RedisException {
  private static final long serialVersionUID = 1L;

  /** The depth to which causes are copied. */
  private static final int MOST = 20;

  private final String text;

  private OneLine(Throwable original, int depth) {
    super(original.getMessage() == null ? null : Quoted.text(original.getMessage()));
    this.text = Quoted.text(original.toString());
    setStackTrace(original.getStackTrace());
    if (original.getCause() != null && depth < MOST) {
      initCause(new OneLine(original.getCause(), depth + 1));
    }
    for (Throwable suppressed : depth < MOST ? original.getSuppressed() : new Throwable[0]) {
      addSuppressed(new OneLine(suppressed, depth + 1));
    }
  }

  /** The failure itself, if no text in its trace needs escaping. */
  static Throwable of(Throwable failure) {
    return isSeen(failure, 0) ? failure : new OneLine(failure, 0);
  }

  private static boolean isSeen(Throwable failure, int depth) {
    String words = failure.toString();
    return depth >= MOST
        || (Quoted.text(words).equals(words)
            && (failure.getCause() == null || isSeen(failure.getCause(), depth + 1))
            && Stream.of(failure.getSuppressed()).allMatch(one -> isSeen(one, depth + 1)));
  }

  /** The original's class and message. */
  @SuppressWarnings("OverrideThrowableToString") // the class name is the original's, too
  @Override
  public String toString() {
    return text;
  }
}
