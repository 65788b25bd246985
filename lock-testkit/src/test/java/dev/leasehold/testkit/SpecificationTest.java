package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.testkit.RuleText.Sampling;
import dev.leasehold.testkit.RuleText.Testing;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The specification and the tests say the same")
class SpecificationTest {
  private static final int RULES = 111;

  @Test
  @DisplayName("Every rule has a test, unless the page says that it has none")
  void noRuleWithoutTest() {
    Set<String> tested =
        Suite.tests().stream().map(test -> test.rule().id()).collect(Collectors.toSet());
    Set<String> wanted = new TreeSet<>();
    for (RuleText rule : Specification.rules()) {
      if (rule.testing() == Testing.TESTED) {
        wanted.add(rule.id());
      }
    }
    wanted.removeAll(tested);
    assertEquals(Set.of(), wanted);
  }

  @Test
  @DisplayName("No rule that is marked as untested has a test")
  void untestedIsUntested() {
    List<RuleCase> wrong =
        Suite.tests().stream().filter(t -> t.rule().testing() == Testing.UNTESTED).toList();
    assertEquals(List.of(), wrong);
  }

  @Test
  @DisplayName("Every test has a unique display name")
  void namesDiffer() {
    List<String> names = Suite.tests().stream().map(RuleCase::displayName).toList();
    assertEquals(names.size(), Set.copyOf(names).size(), names::toString);
  }

  @Test
  @DisplayName("Numbers are unique and run without a gap in each theme")
  void numbers() {
    List<RuleText> rules = Specification.rules();
    assertEquals(RULES, rules.size());
    for (RuleText rule : rules) {
      String prefix = rule.id().substring(0, 3);
      List<String> family =
          rules.stream().map(RuleText::id).filter(id -> id.startsWith(prefix)).toList();
      assertEquals(family.indexOf(rule.id()) + 1, Integer.parseInt(rule.id().substring(3)));
    }
  }

  @Test
  @DisplayName("A test of a rule that the page does not have is refused")
  void noTestWithoutRule() {
    assertThrows(IllegalArgumentException.class, () -> RuleCase.in(List.of(HasUnknownRule.class)));
  }

  static final class HasUnknownRule {
    @Rule("ZZ-1")
    void nothing(Bench bench) {}
  }

  @Test
  @DisplayName("Marks and sentences are read from the page")
  void parsing() {
    String page =
        """
        # Title

        ## Theme one

        ### AB-1 [FAIR] [WAKE_UP] · stochastic
        First line,
        second line.

        *If it fails:* look.

        ### AB-2
        Says this.

        *Untested:* no way.
        """;
    // The heading is followed by its sentence, with or without an empty line.
    List<RuleText> rules = Specification.parse(page);
    assertEquals(
        List.of(
            new RuleText(
                "AB-1",
                "Theme one",
                "First line, second line.",
                List.of(Guarantee.FAIR, Guarantee.WAKE_UP),
                Sampling.STOCHASTIC,
                Testing.TESTED,
                "look."),
            new RuleText(
                "AB-2",
                "Theme one",
                "Says this.",
                List.of(),
                Sampling.FIXED,
                Testing.UNTESTED,
                "")),
        rules);
  }

  @Test
  @DisplayName("A heading that is no rule's is refused")
  void badHeading() {
    assertThrows(IllegalArgumentException.class, () -> Specification.parse("\n### EX1\n\nNo."));
    assertThrows(
        IllegalArgumentException.class, () -> Specification.parse("\n### EX-1 [NO_SUCH]\n\nNo."));
  }
}
