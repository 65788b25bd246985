package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisplayName("A failure tells how long the JVM stood still")
class StandstillTest {
  private static final Pattern TOLD = Pattern.compile("stood still for (\\d+) ms");

  @Test
  @DisabledOnOs(OS.WINDOWS)
  @DisplayName("if it did, as where a signal stops it")
  void stopped() throws Exception {
    try (Standstill here = new Standstill()) {
      SampleCases.standStill(Duration.ofMillis(500));
      Matcher told = TOLD.matcher(here.hint());
      assertTrue(told.find(), here::hint);
      assertTrue(Long.parseLong(told.group(1)) >= 450, here::hint);
    }
  }

  @Test
  @DisplayName("not of a tick alone")
  void ticks() {
    try (Standstill here = new Standstill()) {
      Await.pass(here.longest().plusMillis(20));
      if (here.longest().toMillis() < 150) {
        assertEquals("", here.hint());
      }
    }
  }
}
