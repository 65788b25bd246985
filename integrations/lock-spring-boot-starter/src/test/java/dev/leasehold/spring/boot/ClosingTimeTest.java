package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The time that running methods have at shutdown")
class ClosingTimeTest {

  @ParameterizedTest(name = "of a phase of {0}: {2}")
  @CsvSource({"PT30S, PT5S, PT24S", "PT2S, PT1H, PT0S", "PT30S, PT29S, PT0S", "PT30S, , PT24S"})
  @DisplayName("is the phase less the manager's grace and a second; five of an unknown manager")
  void left(Duration phase, Duration grace, Duration left) {
    ClosingTime time = new ClosingTime(phase);
    if (grace != null) {
      time.managerHas(grace);
    }
    assertEquals(left, time.forCalls());
  }
}
