package dev.leasehold.redisson;

import dev.leasehold.lock.spi.Quoted;
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
    super(Quoted.text(String.valueOf(original.getMessage())));
    this.text = Quoted.text(original.toString());
    setStackTrace(original.getStackTrace());
    if (original.getCause() != null && depth < MOST) {
      initCause(new OneLine(original.getCause(), depth + 1));
    }
  }

  /** The failure itself, if all words of it and of its causes can be seen. */
  static Throwable of(Throwable failure) {
    Throwable each = failure;
    for (int depth = 0; each != null && depth < MOST; depth++) {
      String words = each.toString();
      if (!Quoted.text(words).equals(words)) {
        return new OneLine(failure, 0);
      }
      each = each.getCause();
    }
    return failure;
  }

  /** As the original's: its class and its words. */
  @SuppressWarnings("OverrideThrowableToString") // the class name too is the original's
  @Override
  public String toString() {
    return text;
  }
}
