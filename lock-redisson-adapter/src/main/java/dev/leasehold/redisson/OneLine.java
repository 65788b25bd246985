package dev.leasehold.redisson;

import dev.leasehold.lock.spi.Quoted;
import java.util.stream.Stream;
import org.redisson.client.RedisException;

/**
 * An exception of Redisson's whose words have a line break, or what else is not seen, as it may be
 * logged. Redisson quotes what it sent, so the lock's name too, and that must not begin a line of a
 * log. With the class name, frames and causes of the original; its words are escaped as in
 * messages.
 */
final class OneLine extends RedisException {
  private static final long serialVersionUID = 1L;

  /** So deep it looks. */
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

  /** The failure itself, if all words of it and of what stands in its trace can be seen. */
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

  /** As the original's: its class and its words. */
  @SuppressWarnings("OverrideThrowableToString") // the class name too is the original's
  @Override
  public String toString() {
    return text;
  }
}
