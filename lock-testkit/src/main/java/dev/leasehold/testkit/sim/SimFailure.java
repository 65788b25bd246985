package dev.leasehold.testkit.sim;

import org.jspecify.annotations.Nullable;

/** Something went wrong in a simulated world; the message tells the seed and what came before. */
public final class SimFailure extends AssertionError {
  private static final long serialVersionUID = 1L;

  SimFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
