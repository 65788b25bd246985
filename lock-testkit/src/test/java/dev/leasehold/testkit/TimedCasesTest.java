package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A JVM that stands still")
@DisabledOnOs(OS.WINDOWS)
class TimedCasesTest {
  private static final AtomicInteger RUNS = new AtomicInteger();

  static final class Samples {
    @Rule(value = "RN-1", shows = "late once", timed = true)
    void lateOnce(Bench bench) throws Exception {
      if (RUNS.incrementAndGet() == 1) {
        SampleCases.standStill(Duration.ofMillis(300));
        throw new AssertionError("too late");
      }
    }

    @Rule(value = "RN-1", shows = "late always", timed = true)
    void lateAlways(Bench bench) throws Exception {
      RUNS.incrementAndGet();
      SampleCases.standStill(Duration.ofMillis(300));
      throw new AssertionError("too late");
    }

    @Rule(value = "RN-1", shows = "late by itself", timed = true)
    void lateByItself(Bench bench) {
      RUNS.incrementAndGet();
      throw new AssertionError("too late");
    }

    @Rule(value = "RN-1", shows = "two have it", timed = true)
    void twoHaveIt(Bench bench) throws Exception {
      RUNS.incrementAndGet();
      SampleCases.standStill(Duration.ofMillis(300));
      Check.refused(false, () -> true, "no other owner has it");
    }

    @Rule(value = "RN-1", shows = "two have it, as another thread sees", timed = true)
    void anotherSees(Bench bench) {
      Await.value(
          bench.onThread(
              () -> {
                twoHaveIt(bench);
                return true;
              }));
    }

    @Rule(value = "RN-1", shows = "the holder was late", timed = true)
    void holderWasLate(Bench bench) throws Exception {
      RUNS.incrementAndGet();
      SampleCases.standStill(Duration.ofMillis(300));
      Check.refused(false, () -> false, "no other owner has it");
    }

    @Rule(value = "EX-1", shows = "not about time")
    void notAboutTime(Bench bench) throws Exception {
      lateAlways(bench);
    }
  }

  @BeforeEach
  void begin() {
    RUNS.set(0);
  }

  private static RuleOutcome outcome(String shows) {
    return SampleCases.outcome(Samples.class, shows);
  }

  @Test
  @DisplayName("excuses a timed case: it runs again")
  void anew() {
    assertInstanceOf(RuleOutcome.Kept.class, outcome("late once"));
    assertEquals(2, RUNS.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"late always", "the holder was late"})
  @DisplayName("does so at most three times, and is reported")
  void told(String shows) {
    RuleOutcome outcome = outcome(shows);
    assertInstanceOf(RuleOutcome.Broken.class, outcome);
    assertTrue(outcome.text().contains("stood still for"), outcome::text);
    assertEquals(3, RUNS.get());
  }

  @Test
  @DisplayName("does not excuse a violation while it lasts")
  void goesOn() {
    try (Standstill here = new Standstill()) {
      assertInstanceOf(RuleOutcome.Broken.class, outcome("late by itself"));
      assertTrue(RUNS.get() == 1 || here.isLong(), RUNS::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"two have it", "two have it, as another thread sees", "not about time"})
  @DisplayName("excuses neither a lock with two holders, nor a failure that is not about time")
  void noExcuse(String shows) {
    RuleOutcome outcome = outcome(shows);
    assertInstanceOf(RuleOutcome.Broken.class, outcome);
    assertTrue(outcome.text().contains("stood still for"), outcome::text);
    assertEquals(1, RUNS.get());
  }
}
