package dev.leasehold.examples.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Each architecture rule detects its violations, and nothing else")
class ArchitectureRulesCanFailTest {
  private static final String FIXTURE = "dev.leasehold.examples.architecture.fixture";
  private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(FIXTURE);

  private static final Part API =
      new Part("api", FIXTURE + ".api", Set.of(), Set.of(), Set.of("java.base"));
  private static final Part STORE =
      new Part("store", FIXTURE + ".store", Set.of(API.root()), Set.of(), Set.of("java.base"));

  @Test
  @DisplayName("arrows")
  void arrows() {
    assertEquals(
        Set.of("WrongModule", "WrongLibrary", "ReachesInside"),
        culprits(ArchitectureRules.arrows(API)));
    assertEquals(Set.of(), culprits(ArchitectureRules.arrows(STORE)));
  }

  @Test
  @DisplayName("cycles")
  void cycles() {
    assertEquals(
        Set.of("ReachesInside", "Secret"),
        culprits(ArchitectureRules.noCycles(List.of(API, STORE))));
  }

  @Test
  @DisplayName("internal packages")
  void internals() {
    assertEquals(Set.of("ReachesInside"), culprits(ArchitectureRules.internalsStayInside(STORE)));
  }

  @Test
  @DisplayName("signatures")
  void signatures() {
    EvaluationResult result =
        ArchitectureRules.noClientTypesInSignatures(API, Part.CLIENTS).evaluate(CLASSES);
    assertEquals(
        List.of(FIXTURE + ".api.WrongLibrary names io.lettuce.core.RedisClient"),
        result.getFailureReport().getDetails());
  }

  @Test
  @DisplayName("time")
  void time() {
    EvaluationResult result =
        ArchitectureRules.timeOnlyThrough("no.such.Ticker", API).evaluate(CLASSES);
    assertEquals(3, result.getFailureReport().getDetails().size(), result::toString);
    assertEquals(
        Set.of(), culprits(ArchitectureRules.timeOnlyThrough(API.root() + ".AsksForTime", API)));
  }

  @Test
  @DisplayName("executors")
  void executors() {
    EvaluationResult result = ArchitectureRules.executorsAreNamed(API).evaluate(CLASSES);
    assertEquals(2, result.getFailureReport().getDetails().size(), result::toString);
  }

  @Test
  @DisplayName("a mutex that is its own synchronizer")
  void mutex() {
    EvaluationResult result =
        ArchitectureRules.onlyItselfSynchronizes(API.root() + ".OwnMutex").evaluate(CLASSES);
    assertEquals(
        3,
        result.getFailureReport().getDetails().size(),
        () -> result.getFailureReport().getDetails().toString());
    assertEquals(
        Set.of("BypassesMutex"),
        culprits(ArchitectureRules.onlyItselfSynchronizes(API.root() + ".OwnMutex")));
  }

  @Test
  @DisplayName("independence")
  void independence() {
    assertEquals(
        Set.of("ReachesInside"), culprits(ArchitectureRules.independent(API.root(), STORE.root())));
  }

  /** The fixture classes that the rule reports as origins of a violation. */
  private static Set<String> culprits(ArchRule rule) {
    Set<String> names = new TreeSet<>();
    Pattern origin = Pattern.compile("(?:Class|Field|Method|Constructor) <[\\w.]*?\\.([A-Z]\\w*)");
    for (String line : rule.evaluate(CLASSES).getFailureReport().getDetails()) {
      for (String part : line.split("\\R")) {
        Matcher m = origin.matcher(part);
        if (m.find()) {
          names.add(m.group(1));
        }
      }
    }
    return names;
  }
}
