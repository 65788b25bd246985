package dev.leasehold.lock;

/**
 * A setting is missing, unknown or wrong. The message lists every problem with key, value and what
 * is allowed.
 */
public final class LockConfigurationException extends LockException {
  private static final long serialVersionUID = 1L;

  /** With what went wrong and what to do. */
  public LockConfigurationException(String message) {
    super(message, null);
  }

  /** With what went wrong and what to do, and its cause. */
  public LockConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
