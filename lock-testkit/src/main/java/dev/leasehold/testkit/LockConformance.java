package dev.leasehold.testkit;

import dev.leasehold.lock.spi.Quoted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.opentest4j.TestAbortedException;

/**
 * Base class for a backend's conformance test: extend it and return the backend.
 *
 * <p>Each rule is a test whose name is the rule's number and sentence. A rule that the backend does
 * not promise, or that cannot be run here, is an aborted test with the reason. {@code
 * -Dleasehold.rules=EX-.*,RL-1} runs only some rules. {@code -Dleasehold.lanes=4} runs four at a
 * time, each on a server of its own; the reported time of a test is then the time spent waiting for
 * it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LockConformance {
  private @Nullable Lanes lanes;

  /** For subclasses only. */
  protected LockConformance() {}

  /** The backend under test. */
  protected abstract BackendUnderTest backend();

  /** The backend under test, for the report, which runs the same rules without JUnit. */
  public final BackendUnderTest backendUnderTest() {
    return backend();
  }

  /** Whether to run the rule with this number. By default all rules are run. */
  protected boolean includes(String ruleId) {
    return true;
  }

  @TestFactory
  final List<DynamicNode> rules() {
    return rules(System.getProperty("leasehold.rules", ""));
  }

  /** Tests of this class's rules that {@code only} names; of all if it is empty. */
  final List<DynamicNode> rules(String only) {
    List<RuleCase> own = Suite.tests().stream().filter(test -> includes(test.rule().id())).toList();
    if (own.isEmpty()) {
      throw new IllegalStateException("no rule is left: includes() excludes all");
    }
    Predicate<String> wanted = wanted(only.strip());
    if (Suite.tests().stream().noneMatch(test -> wanted.test(test.rule().id()))) {
      throw new IllegalArgumentException(
          "-Dleasehold.rules = '" + Quoted.text(only) + "' names no rule: see SPEC.md");
    }
    List<RuleCase> tests = own.stream().filter(test -> wanted.test(test.rule().id())).toList();
    if (tests.isEmpty()) {
      throw new TestAbortedException("-Dleasehold.rules names no rule of this class");
    }
    Lanes running = new Lanes(backend(), tests, Lanes.wanted());
    lanes = running;
    Map<String, List<DynamicTest>> themes = new LinkedHashMap<>();
    for (RuleCase test : tests) {
      themes
          .computeIfAbsent(test.rule().theme(), theme -> new ArrayList<>())
          .add(
              DynamicTest.dynamicTest(
                  test.displayName(), () -> check(test, running.verdict(test))));
    }
    List<DynamicNode> nodes = new ArrayList<>();
    themes.forEach((theme, those) -> nodes.add(DynamicContainer.dynamicContainer(theme, those)));
    return nodes;
  }

  private static Predicate<String> wanted(String only) {
    return only.isEmpty()
        ? id -> true
        : Pattern.compile(only.replace(",", "|").replace(" ", "")).asMatchPredicate();
  }

  /** Fails with number and sentence of a broken rule: not every report shows the tests' names. */
  static void check(RuleCase test, RuleOutcome verdict) {
    if (verdict instanceof RuleOutcome.Broken broken) {
      Throwable failure = broken.failure();
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      throw new AssertionError(test.displayName() + "\n" + verdict.text(), cause);
    }
    if (!(verdict instanceof RuleOutcome.Kept)) {
      throw new TestAbortedException(verdict.text());
    }
  }

  /** Closes the suite and the servers it started. */
  @AfterAll
  final void closeSuite() {
    Lanes running = lanes;
    if (running != null) {
      running.close();
    }
  }
}
