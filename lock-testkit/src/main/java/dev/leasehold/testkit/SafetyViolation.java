package dev.leasehold.testkit;

import org.jspecify.annotations.Nullable;

/**
 * A violation that no pause excuses, such as two holders of one lock: a failure however slow the
 * machine is.
 */
final class SafetyViolation extends AssertionError {
  private static final long serialVersionUID = 1L;

  SafetyViolation(String message) {
    super(message);
  }

  /** Whether a failure was caused by such a violation. */
  static boolean isBehind(@Nullable Throwable failure) {
    if (failure == null) {
      return false;
    }
    if (failure instanceof SafetyViolation || isBehind(failure.getCause())) {
      return true;
    }
    for (Throwable further : failure.getSuppressed()) {
      if (isBehind(further)) {
        return true;
      }
    }
    return false;
  }
}
