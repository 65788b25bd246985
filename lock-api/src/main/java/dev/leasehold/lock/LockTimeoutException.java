package dev.leasehold.lock;

/**
 * A lock was not acquired within the time allowed. Thrown where no empty result can be returned,
 * such as by intercepted methods; {@link DistributedLock#tryAcquire()} returns empty instead.
 */
public final class LockTimeoutException extends LockException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception; the message says what went wrong and what to do. */
  public LockTimeoutException(String message) {
    super(message, null);
  }

  /** As the constructor with a message alone, with a cause. */
  public LockTimeoutException(String message, Throwable cause) {
    super(message, cause);
  }
}
