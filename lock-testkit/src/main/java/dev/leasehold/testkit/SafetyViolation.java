package dev.leasehold.testkit;

import org.jspecify.annotations.Nullable;

/** What no pause may break, as that two have one lock: broken, however slow the machine is. */
final class SafetyViolation extends AssertionError {
  private static final long serialVersionUID = 1L;

  SafetyViolation(String message) {
    super(message);
  }

  /** Whether a failure comes of one. */
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
