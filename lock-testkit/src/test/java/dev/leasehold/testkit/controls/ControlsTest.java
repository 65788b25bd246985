package dev.leasehold.testkit.controls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.leasehold.testkit.RuleCase;
import dev.leasehold.testkit.Suite;
import dev.leasehold.testkit.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each control on the rules that tell it from a sound lock, and on some that it must keep. {@link
 * ControlsRun} has them run the whole suite.
 */
@DisplayName("Locks as people write them are caught where they are wrong")
class ControlsTest {
  private static final Map<String, Suite> SUITES = new TreeMap<>();

  static Stream<Arguments> caught() {
    return Controls.all().stream()
        .flatMap(control -> control.tells().stream().map(id -> Arguments.of(control, id)));
  }

  static Stream<Arguments> spared() {
    return Controls.all().stream()
        .flatMap(
            control ->
                control.spares().stream()
                    .filter(id -> !control.breaks().contains(id))
                    .map(id -> Arguments.of(control, id)));
  }

  @AfterAll
  static void closeAll() {
    SUITES.values().forEach(Suite::close);
    SUITES.clear();
  }

  @ParameterizedTest(name = "{0} breaks {1}")
  @MethodSource("caught")
  @DisplayName("A control breaks the rules that it is there for")
  void breaks(Control control, String rule) {
    List<Verdict> verdicts = run(control, rule, true);
    Verdict last = verdicts.get(verdicts.size() - 1);
    Verdict.Broken broken = assertInstanceOf(Verdict.Broken.class, last, verdicts::toString);
    assertEquals(
        true,
        broken.failure() instanceof AssertionError
            || broken.failure() instanceof java.util.NoSuchElementException,
        () -> "what it says is about the rule: " + broken);
  }

  @ParameterizedTest(name = "{0} keeps {1}")
  @MethodSource("spared")
  @DisplayName("A control keeps what its flaw does not touch")
  void keeps(Control control, String rule) {
    for (Verdict verdict : run(control, rule, false)) {
      assertInstanceOf(Verdict.Kept.class, verdict, verdict::toString);
    }
  }

  /** The verdicts of a rule's tests; up to the first that is broken, if that is asked for. */
  private static List<Verdict> run(Control control, String rule, boolean untilBroken) {
    Suite suite = SUITES.computeIfAbsent(control.name(), name -> Suite.of(control));
    List<Verdict> verdicts = new ArrayList<>();
    for (RuleCase test : Suite.tests()) {
      if (test.rule().id().equals(rule)) {
        verdicts.add(suite.run(test));
        if (untilBroken && verdicts.get(verdicts.size() - 1) instanceof Verdict.Broken) {
          break;
        }
      }
    }
    return verdicts;
  }
}
