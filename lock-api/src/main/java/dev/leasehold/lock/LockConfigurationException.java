package dev.leasehold.lock;

/**
 * A setting is missing, unknown or wrong. The message lists every problem with its key, its value
 * and the values allowed.
 */
public final class LockConfigurationException extends LockException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception; the message says what went wrong and what to do. */
  public LockConfigurationException(String message) {
    super(message, null);
  }

  /** As the constructor with a message alone, with a cause. */
  public LockConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
