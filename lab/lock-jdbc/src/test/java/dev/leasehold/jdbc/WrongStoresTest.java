package dev.leasehold.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.RuleCase;
import dev.leasehold.testkit.RuleOutcome;
import dev.leasehold.testkit.RuleOutcome.Broken;
import dev.leasehold.testkit.RuleOutcome.NotRun;
import dev.leasehold.testkit.Suite;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each mistake on the cases in several processes of the rules that reveal it. */
@DisplayName("Faults between processes are detected in other JVMs, without Redis")
class WrongStoresTest {

  static List<Arguments> caught() {
    return List.of(
        Arguments.of(new WrongStore.ReleasesForAnybody(), Set.of("RL-1")),
        Arguments.of(new WrongStore.ReleasesForAnybodyLater(), Set.of("RL-1")),
        Arguments.of(new WrongStore.DatabaseOfItsOwn(), Set.of("EX-1", "EX-3")),
        Arguments.of(new WrongStore.TimeOfTheApplication(), Set.of("LE-7")),
        Arguments.of(new WrongStore.NumbersOfTheProcess(), Set.of("EX-1", "FE-1")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("caught")
  @DisplayName("A mistake breaks the cases in several processes of these rules")
  void breaks(WrongStore wrong, Set<String> rules) {
    Set<String> broken = new TreeSet<>();
    try (Suite suite = Suite.of(wrong)) {
      for (RuleCase test : casesOf(rules)) {
        if (broken.contains(test.rule().id())) {
          continue; // one case is enough, and each takes seconds
        }
        RuleOutcome outcome = suite.run(test);
        assumeFalse(outcome instanceof NotRun, outcome::text); // a clock that can't be turned
        if (outcome instanceof Broken) {
          broken.add(test.rule().id());
        }
      }
    }
    assertEquals(new TreeSet<>(rules), broken);
  }

  private static List<RuleCase> casesOf(Set<String> rules) {
    return Suite.tests().stream()
        .filter(test -> test.needs().contains(Need.PROCESSES))
        .filter(test -> rules.contains(test.rule().id()))
        .toList();
  }

  @Test
  @DisplayName("The twin: without a mistake, opened in the same way, they are kept")
  void sound() {
    // JdbcConformanceTest runs the slow ones.
    Set<String> rules = Set.of("EX-3", "FE-1", "RL-1");
    try (Suite suite = Suite.of(new WrongStore.NotWrong())) {
      for (RuleCase test : casesOf(rules)) {
        RuleOutcome outcome = suite.run(test);
        assertFalse(outcome instanceof Broken, () -> test + ": " + outcome.text());
      }
    }
  }
}
