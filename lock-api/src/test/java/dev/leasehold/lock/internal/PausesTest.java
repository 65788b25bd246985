package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.name.Pauses;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A waiter that the store wakes asks the less often, the farther behind it is in line")
class PausesTest {
  /** Nothing here depends on the time. */
  private final Pauses pauses = new Pauses(null, new Timing(() -> 0, null, null, null));

  @ParameterizedTest(name = "{0} ahead, longest pause {1} ms, lease of {2} ms: {3} ms")
  @CsvSource({
    "0, 1000, 30000, 1000",
    "10, 1000, 30000, 1000",
    "11, 1000, 30000, 1100",
    "55, 1000, 30000, 5500",
    "100, 1000, 30000, 10000",
    "9999, 1000, 30000, 10000",
    "50, 100, 30000, 500",
    "9999, 15000, 30000, 15000",
    "9999, 1000, 4000, 4001",
  })
  void pause(int ahead, long longest, long lease, long expected) {
    WaitStrategy strategy = WaitStrategy.every(Duration.ofMillis(longest));
    Held refusal = new Held(Duration.ofMillis(lease)).behind(ahead);
    assertEquals(expected, pauses.afterRefusal(refusal, 0, strategy).toMillis());
  }
}
