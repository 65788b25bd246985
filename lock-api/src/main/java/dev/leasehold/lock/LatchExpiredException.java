package dev.leasehold.lock;

/** A latch expired before it reached zero, so its waiters would have waited for ever. */
public final class LatchExpiredException extends LockException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception; the message names the latch and the remedy. */
  public LatchExpiredException(String message) {
    super(message, null);
  }
}
