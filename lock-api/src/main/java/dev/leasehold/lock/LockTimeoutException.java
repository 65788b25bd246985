package dev.leasehold.lock;

/**
 * A lock was not obtained in the time a caller insisted on. Thrown where there is no result to
 * leave empty, as by intercepted methods; {@link DistributedLock#tryAcquire()} returns empty
 * instead.
 */
public final class LockTimeoutException extends LockException {
  private static final long serialVersionUID = 1L;

  /** With what went wrong and what to do. */
  public LockTimeoutException(String message) {
    super(message, null);
  }

  /** With what went wrong and what to do, and its cause. */
  public LockTimeoutException(String message, Throwable cause) {
    super(message, cause);
  }
}
