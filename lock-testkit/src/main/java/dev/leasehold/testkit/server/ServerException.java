package dev.leasehold.testkit.server;

/** A server could not be started or made ready. The message says why and what to do. */
public final class ServerException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** What happened, and what to do about it. */
  public ServerException(String message) {
    super(message);
  }

  /** What happened, what to do about it, and the cause. */
  public ServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
