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

@DisplayName("A failure says how long the JVM stood still")
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
  @DisabledOnOs(OS.WINDOWS)
  @DisplayName("to all cases that ran then, and to none that began later or was over")
  void toWhichCases() throws Exception {
    Standstill over = new Standstill();
    over.close();
    long before = over.longest().toNanos();
    try (Standstill first = new Standstill();
        Standstill second = new Standstill()) {
      SampleCases.standStill(Duration.ofMillis(500));
      try (Standstill later = new Standstill()) {
        assertTrue(first.longest().toMillis() >= 450, first::hint);
        assertTrue(second.longest().toMillis() >= 450, second::hint);
        assertTrue(later.longest().toMillis() < 450, later::hint);
        assertEquals(before, over.longest().toNanos());
      }
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
