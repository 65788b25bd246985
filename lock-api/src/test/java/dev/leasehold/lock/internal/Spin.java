package dev.leasehold.lock.internal;

import java.util.function.BooleanSupplier;

/** Waits for what other threads bring about. */
final class Spin {
  private Spin() {}

  /** Ends with a test's time-out too, which interrupts: a lock that is broken hangs no build. */
  static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("interrupted, and it is still not so");
      }
      Thread.onSpinWait();
    }
  }
}
