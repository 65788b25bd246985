package dev.leasehold.lock;

/** The lock manager was closed before or during the call. */
public final class LockManagerClosedException extends LockException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception; the message says what went wrong and what to do. */
  public LockManagerClosedException(String message) {
    super(message, null);
  }

  /** As the constructor with a message alone, with a cause. */
  public LockManagerClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
