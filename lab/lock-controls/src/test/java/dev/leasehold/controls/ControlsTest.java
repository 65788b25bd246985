package dev.leasehold.controls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.leasehold.testkit.RuleCase;
import dev.leasehold.testkit.RuleOutcome;
import dev.leasehold.testkit.Suite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each control on the rules that reveal its flaw, and on some that it must keep. {@link
 * ControlsRun} runs the whole suite.
 */
@DisplayName("Locks as people write them are caught where they are wrong")
class ControlsTest {
  /** Rules mostly wait, so this many controls run in parallel, each on its own server. */
  private static final int LANES = 5;

  private static final Map<Asked, CompletableFuture<List<RuleOutcome>>> VERDICTS = new HashMap<>();
  private static final ExecutorService LANE = Executors.newFixedThreadPool(LANES);

  private record Asked(String control, String rule, boolean untilBroken) {}

  static Stream<Arguments> caught() {
    return Controls.all().stream()
        .flatMap(control -> control.tells().stream().map(id -> Arguments.of(control, id)));
  }

  static Stream<Arguments> spared() {
    return Controls.all().stream()
        .flatMap(control -> control.spares().stream().map(id -> Arguments.of(control, id)));
  }

  @BeforeAll
  static void runAll() {
    for (Control control : Controls.all()) {
      List<Asked> asked = new ArrayList<>();
      control.tells().forEach(rule -> asked.add(new Asked(control.name(), rule, true)));
      control.spares().forEach(rule -> asked.add(new Asked(control.name(), rule, false)));
      asked.forEach(rule -> VERDICTS.put(rule, new CompletableFuture<>()));
      LANE.execute(() -> runAll(control, asked));
    }
  }

  private static void runAll(Control control, List<Asked> asked) {
    try (Suite suite = Suite.of(control)) {
      asked.forEach(rule -> VERDICTS.get(rule).complete(run(suite, rule)));
    } catch (Throwable e) { // an error, too: each test waits for its verdict
      asked.forEach(rule -> VERDICTS.get(rule).completeExceptionally(e));
    }
  }

  @AfterAll
  static void end() {
    LANE.shutdownNow();
    VERDICTS.clear();
  }

  @ParameterizedTest(name = "{0} breaks {1}")
  @MethodSource("caught")
  @DisplayName("A control breaks the rules that it is there for")
  void breaks(Control control, String rule) {
    List<RuleOutcome> outcomes = outcomes(control, rule, true);
    RuleOutcome last = outcomes.get(outcomes.size() - 1);
    RuleOutcome.Broken broken =
        assertInstanceOf(RuleOutcome.Broken.class, last, outcomes::toString);
    assertEquals(
        true,
        broken.failure() instanceof AssertionError
            || broken.failure() instanceof java.util.NoSuchElementException,
        () -> "what it says is about the rule: " + broken);
  }

  @ParameterizedTest(name = "{0} keeps {1}")
  @MethodSource("spared")
  @DisplayName("A control keeps the rules that its flaw does not affect")
  void keeps(Control control, String rule) {
    List<RuleOutcome> outcomes = new ArrayList<>(outcomes(control, rule, false));
    // A rule for all locks may have a test for a kind, or for quorums, that a control does not
    // offer.
    outcomes.removeIf(RuleOutcome.NotPromised.class::isInstance);
    outcomes.removeIf(RuleOutcome.NotRun.class::isInstance);
    assertFalse(outcomes.isEmpty(), "it has cases that concern the control");
    for (RuleOutcome outcome : outcomes) {
      assertInstanceOf(RuleOutcome.Kept.class, outcome, outcome::toString);
    }
  }

  private static List<RuleOutcome> outcomes(Control control, String rule, boolean untilBroken) {
    return VERDICTS.get(new Asked(control.name(), rule, untilBroken)).join();
  }

  /** The outcomes of a rule's tests; if requested, only up to the first that is broken. */
  private static List<RuleOutcome> run(Suite suite, Asked asked) {
    List<RuleOutcome> outcomes = new ArrayList<>();
    for (RuleCase test : Suite.tests()) {
      if (test.rule().id().equals(asked.rule())) {
        outcomes.add(suite.run(test));
        if (asked.untilBroken()
            && outcomes.get(outcomes.size() - 1) instanceof RuleOutcome.Broken) {
          break;
        }
      }
    }
    return outcomes;
  }
}
