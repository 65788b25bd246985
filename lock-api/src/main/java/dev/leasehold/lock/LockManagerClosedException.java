package dev.leasehold.lock;

/** The lock manager was closed before or during the call. */
public final class LockManagerClosedException extends LockException {
  private static final long serialVersionUID = 1L;

  /** With what went wrong and what to do. */
  public LockManagerClosedException(String message) {
    super(message, null);
  }

  /** With what went wrong and what to do, and its cause. */
  public LockManagerClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
