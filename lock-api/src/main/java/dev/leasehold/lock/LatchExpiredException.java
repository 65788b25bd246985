package dev.leasehold.lock;

/** A latch was over before it was at zero: who waited for it would wait for ever. */
public final class LatchExpiredException extends LockException {
  private static final long serialVersionUID = 1L;

  /** With which latch, and what to do. */
  public LatchExpiredException(String message) {
    super(message, null);
  }
}
