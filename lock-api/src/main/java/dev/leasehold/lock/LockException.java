package dev.leasehold.lock;

/**
 * The superclass of all exceptions of this library; unchecked. Catch its subclasses wherever their
 * outcomes are handled differently.
 */
public abstract class LockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LockException(String message, @org.jspecify.annotations.Nullable Throwable cause) {
    super(message, cause);
  }
}
