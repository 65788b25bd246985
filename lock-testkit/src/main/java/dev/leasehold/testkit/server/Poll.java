package dev.leasehold.testkit.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions that can only be polled. */
final class Poll {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private Poll() {}

  /**
   * Polls until the condition holds. An exception means "not yet", since servers that are starting
   * or stopping cause many.
   *
   * @throws ServerException if the condition does not hold after that time
   */
  static void until(String what, Duration atMost, BooleanSupplier isSo) {
    long start = System.nanoTime();
    while (true) {
      RuntimeException failure = null;
      try {
        if (isSo.getAsBoolean()) {
          return;
        }
      } catch (RuntimeException e) {
        failure = e;
      }
      if (System.nanoTime() - start > atMost.toNanos()) {
        String text = "After " + atMost + " still not: " + what;
        throw failure == null ? new ServerException(text) : new ServerException(text, failure);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }
}
