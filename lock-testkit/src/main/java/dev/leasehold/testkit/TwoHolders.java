package dev.leasehold.testkit;

import org.jspecify.annotations.Nullable;

/** Somebody got what another still has: broken, however slow the machine is. */
final class TwoHolders extends AssertionError {
  private static final long serialVersionUID = 1L;

  TwoHolders(String message) {
    super(message);
  }

  /** Whether a failure comes of it. */
  static boolean isBehind(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TwoHolders) {
        return true;
      }
    }
    return false;
  }
}
