package dev.leasehold.testkit.proxy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Awaits what only looking can tell. */
final class Soon {
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private Soon() {}

  static boolean isSo(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LONGEST.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
    return true;
  }
}
