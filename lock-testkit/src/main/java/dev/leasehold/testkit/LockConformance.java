package dev.leasehold.testkit;

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
 * A backend's conformance class: extend it, and name the backend.
 *
 * <p>Each rule is a test whose name is the rule's number and sentence. A rule that the backend does
 * not promise, or that can't be run here, is an aborted test that says so. {@code
 * -Dleasehold.rules=EX-.*,RL-1} runs only some rules.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LockConformance {
  private @Nullable Suite suite;

  /** For subclasses. */
  protected LockConformance() {}

  /** What is tested. */
  protected abstract BackendUnderTest backend();

  /** Whether a rule, by its number, is of interest: by default all are. */
  protected boolean includes(String ruleId) {
    return true;
  }

  @TestFactory
  final List<DynamicNode> rules() {
    Suite running = Suite.of(backend());
    suite = running;
    Map<String, List<DynamicTest>> themes = new LinkedHashMap<>();
    for (RuleCase test : Suite.tests()) {
      if (includes(test.rule().id()) && wanted().test(test.rule().id())) {
        themes
            .computeIfAbsent(test.rule().theme(), theme -> new ArrayList<>())
            .add(DynamicTest.dynamicTest(test.displayName(), () -> check(running, test)));
      }
    }
    List<DynamicNode> nodes = new ArrayList<>();
    themes.forEach((theme, tests) -> nodes.add(DynamicContainer.dynamicContainer(theme, tests)));
    return nodes;
  }

  private static Predicate<String> wanted() {
    String only = System.getProperty("leasehold.rules", "").strip();
    return only.isEmpty()
        ? id -> true
        : Pattern.compile(only.replace(",", "|").replace(" ", "")).asMatchPredicate();
  }

  private static void check(Suite suite, RuleCase test) throws Throwable {
    Verdict verdict = suite.run(test);
    if (verdict instanceof Verdict.Broken broken) {
      throw broken.failure();
    }
    if (!(verdict instanceof Verdict.Kept)) {
      throw new TestAbortedException(verdict.text());
    }
  }

  /** Ends what the suite started. */
  @AfterAll
  final void closeSuite() {
    Suite running = suite;
    if (running != null) {
      running.close();
    }
  }
}
