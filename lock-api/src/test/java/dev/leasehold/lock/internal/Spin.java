package dev.leasehold.lock.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what other threads bring about, but not for ever: what is broken hangs no build. */
final class Spin {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

  private Spin() {}

  /** Ends with a test's time-out too, which interrupts. */
  static void until(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("interrupted, and it is still not so");
      }
      if (System.nanoTime() - begun > PATIENCE) {
        throw new AssertionError("it is still not so");
      }
      Thread.onSpinWait();
    }
  }
}
