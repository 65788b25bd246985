package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Several rules at a time")
class LanesTest {
  private static final CyclicBarrier BOTH = new CyclicBarrier(2);
  private static final Set<String> ADDRESSES = ConcurrentHashMap.newKeySet();

  static final class Meeting {
    @Rule(value = "EX-1", shows = "one")
    void one(Bench bench) throws Exception {
      ADDRESSES.add(bench.site().address());
      BOTH.await(20, TimeUnit.SECONDS);
    }

    @Rule(value = "EX-1", shows = "other")
    void other(Bench bench) throws Exception {
      one(bench);
    }
  }

  static final class Lonely {
    @Rule(value = "EX-1", shows = "alone", alone = true)
    void alone(Bench bench) {
      assertThrows(TimeoutException.class, () -> BOTH.await(300, TimeUnit.MILLISECONDS));
      BOTH.reset();
    }

    @Rule(value = "EX-1", shows = "beside it", alone = true)
    void beside(Bench bench) {
      alone(bench);
    }
  }

  static final class InOrder {
    @Rule(value = "EX-1", shows = "alone", alone = true)
    void alone(Bench bench) {}

    @Rule(value = "EX-1", shows = "here")
    void here(Bench bench) {}

    @Rule(value = "EX-1", shows = "processes", needs = Need.PROCESSES)
    void processes(Bench bench) {}

    @Rule(value = "EX-2", shows = "there")
    void there(Bench bench) {}
  }

  private final @Nullable String given = System.getProperty(Lanes.PROPERTY);

  @BeforeEach
  void unset() {
    System.clearProperty(Lanes.PROPERTY);
  }

  @AfterEach
  void reset() {
    if (given == null) {
      System.clearProperty(Lanes.PROPERTY);
    } else {
      System.setProperty(Lanes.PROPERTY, given);
    }
    BOTH.reset();
    ADDRESSES.clear();
  }

  private static void checkKept(Class<?> theme) throws Throwable {
    List<RuleCase> tests = RuleCase.in(List.of(theme));
    try (Lanes lanes = new Lanes(new MapBackend(), tests, 2)) {
      for (RuleCase test : tests) {
        RuleOutcome verdict = lanes.verdict(test);
        assertInstanceOf(RuleOutcome.Kept.class, verdict, verdict::toString);
      }
    }
  }

  @Test
  @DisplayName("run concurrently, each on its own server")
  void sideBySide() throws Throwable {
    checkKept(Meeting.class);
    assertEquals(2, ADDRESSES.size(), ADDRESSES::toString);
  }

  @Test
  @DisplayName("except cases that count resources of the whole JVM")
  void alone() throws Throwable {
    checkKept(Lonely.class);
  }

  @Test
  @DisplayName("begin with those that need processes, and end with those that run alone")
  void order() {
    List<RuleCase> begun = Lanes.forSeveral(RuleCase.in(List.of(InOrder.class)));
    assertEquals(
        List.of("processes", "here", "there", "alone"),
        begun.stream().map(RuleCase::shows).toList());
  }

  @Test
  @DisplayName("One by default")
  void one() {
    assertEquals(1, Lanes.wanted());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "65", "-1", "many", ""})
  @DisplayName("Their number is a number from 1 to 64")
  void wrongNumber(String wanted) {
    System.setProperty(Lanes.PROPERTY, wanted);
    var wrong = assertThrows(IllegalArgumentException.class, Lanes::wanted);
    assertTrue(
        wrong.getMessage().contains("leasehold.lanes=" + wanted + " must be")
            && wrong.getMessage().contains("from 1 to 64"),
        wrong.getMessage());
  }
}
