package dev.leasehold.testkit.server;

/** A server could not be started or made ready. The message gives the reason and a remedy. */
public final class ServerException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** With the reason and a remedy as the message. */
  public ServerException(String message) {
    super(message);
  }

  /** With the reason and a remedy as the message, and the cause. */
  public ServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
