package dev.leasehold.cli;

/** Wrong usage that is detected only when the command runs. The message names option and value. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
