package dev.leasehold.testkit.sim;

import org.jspecify.annotations.Nullable;

/** A failure in a simulated world; its message has the seed and the trace. */
public final class SimFailure extends AssertionError {
  private static final long serialVersionUID = 1L;

  SimFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
