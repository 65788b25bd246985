package dev.leasehold.lock;

/**
 * The root of what locks throw; unchecked. Catch the kinds below, not this one, wherever the
 * outcomes differ.
 */
public abstract class LockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LockException(String message, @org.jspecify.annotations.Nullable Throwable cause) {
    super(message, cause);
  }
}
