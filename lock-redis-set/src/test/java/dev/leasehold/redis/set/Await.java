package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions. */
final class Await {
  private static final Duration MOST = Duration.ofSeconds(60);

  private Await() {}

  /** Lets the client's threads do something; nothing depends on how much. */
  static void briefly() {
    LockSupport.parkNanos(100_000);
  }

  /** Until it holds, at most a minute, for slow machines. */
  static void until(BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > MOST.toNanos()) {
        fail("it did not come true within " + MOST);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(5);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
