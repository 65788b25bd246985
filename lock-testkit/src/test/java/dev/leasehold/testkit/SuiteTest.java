package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockOwner;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

@DisplayName("The suite itself")
class SuiteTest {
  private static final CountDownLatch END = new CountDownLatch(1);

  static final class Samples {
    @Rule(value = "EX-1", shows = "kept")
    void kept(Bench bench) throws InterruptedException {
      bench.site().open().lock(bench.name()).acquire();
    }

    @Rule(value = "EX-1", shows = "broken with chance")
    void broken(Bench bench) {
      Check.equal(0, bench.random().nextInt(1000) + 1, "a number");
    }

    @Rule(value = "EX-1", shows = "gets no lock")
    void getsNoLock(Bench bench) {
      DistributedLock lock = bench.site().open().lock(bench.name());
      lock.tryAcquire().orElseThrow();
      lock.as(LockOwner.unique("another")).tryAcquire().orElseThrow();
    }

    @Rule(value = "EX-1", shows = "needs more", needs = Need.PROCESSES)
    void needsMore(Bench bench) {
      throw new AssertionError("must not run");
    }

    @Rule(value = "EX-1", shows = "promises more", also = Guarantee.FAIR)
    void promisesMore(Bench bench) {
      throw new AssertionError("must not run");
    }

    @Rule(value = "EX-1", shows = "leaves a thread")
    void leavesThread(Bench bench) {
      Thread stray = new Thread(SuiteTest::waitForTheEnd, bench.label() + "stray");
      stray.setDaemon(true);
      stray.start();
    }
  }

  private static void waitForTheEnd() {
    try {
      END.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterAll
  static void end() {
    END.countDown();
  }

  private static RuleOutcome outcome(String shows) {
    return SampleCases.outcome(Samples.class, shows);
  }

  /** A class whose backend can't be opened. */
  private static LockConformance including(Predicate<String> rules) {
    return new LockConformance() {
      @Override
      protected BackendUnderTest backend() {
        throw new AssertionError("must not be opened");
      }

      @Override
      protected boolean includes(String ruleId) {
        return rules.test(ruleId);
      }
    };
  }

  @Test
  @DisplayName("with no rule left is an error, not a class without tests")
  void noRule() {
    LockConformance none = including(id -> false);
    assertThrows(IllegalStateException.class, none::rules);
    assertThrows(IllegalStateException.class, () -> none.rules("EX-1"));
  }

  @Test
  @DisplayName("is skipped if rules were asked for of which it has none")
  void noneOfThose() {
    LockConformance fencing = including(id -> id.startsWith("FE-"));
    assertThrows(TestAbortedException.class, () -> fencing.rules("EX-1, RL-.*"));
    assertThrows(AssertionError.class, () -> fencing.rules("EX-1, FE-1"));
    assertThrows(IllegalArgumentException.class, () -> fencing.rules("EX1"), "no rule at all");
  }

  @Test
  @DisplayName("distinguishes kept, broken, not promised and not run")
  void outcomes() {
    assertInstanceOf(RuleOutcome.Kept.class, outcome("kept"));
    assertEquals(new RuleOutcome.NotPromised(Guarantee.FAIR), outcome("promises more"));
    assertEquals(new RuleOutcome.NotRun(Need.PROCESSES.missing()), outcome("needs more"));
    RuleOutcome.Broken broken =
        assertInstanceOf(RuleOutcome.Broken.class, outcome("broken with chance"));
    assertTrue(broken.text().contains("a number should be 0"), broken::text);
    assertTrue(broken.text().contains("leasehold.seed="), broken::text);
    String hint = Specification.rule("EX-1").orElseThrow().hint();
    assertTrue(hint.startsWith("the store granted while"), hint);
    String told = String.valueOf(broken.failure().getMessage());
    assertTrue(told.endsWith("\nUsually behind it: " + hint), told);
  }

  @Test
  @DisplayName("fails a test with number and sentence of the rule, whatever the reporter shows")
  void numbers() {
    RuleCase test = SampleCases.named(Samples.class, "gets no lock");
    AssertionError failure =
        assertThrows(
            AssertionError.class, () -> LockConformance.check(test, outcome("gets no lock")));
    String told = String.valueOf(failure.getMessage());
    assertTrue(told.startsWith("EX-1 ") && told.contains(" (gets no lock)\nan acq"), told);
    assertInstanceOf(NoSuchElementException.class, failure.getCause());
  }

  @Test
  @DisplayName("explains an empty result, and shows where the rule needed the lock")
  void empty() {
    String told = outcome("gets no lock").text();
    String why = "an acquisition that should succeed was refused, or there was no holder, at ";
    assertTrue(told.startsWith(why + "SuiteTest$Samples.getsNoLock(SuiteTest.java:"), told);
  }

  @Test
  @DisplayName("states a claim that does not hold in a whole sentence, and every rule has a hint")
  void sentences() {
    AssertionError e =
        assertThrows(AssertionError.class, () -> Check.that(false, "the lock is free"));
    assertEquals("it is not so that the lock is free", e.getMessage());
    assertTrue(Specification.rules().stream().noneMatch(rule -> rule.hint().isEmpty()));
  }

  @Test
  @DisplayName("finds a thread that a rule left running")
  void leftovers() {
    RuleOutcome.Broken broken =
        assertInstanceOf(RuleOutcome.Broken.class, outcome("leaves a thread"));
    assertTrue(broken.text().contains("stray"), broken::text);
  }

  @Test
  @DisplayName("counts a rule as broken if any of its tests is, as kept if any ran")
  void worst() {
    RuleOutcome kept = new RuleOutcome.Kept();
    RuleOutcome broken = new RuleOutcome.Broken(new AssertionError("no"));
    RuleOutcome notRun = new RuleOutcome.NotRun("nothing there");
    assertEquals(broken, RuleOutcome.both(kept, broken));
    assertEquals(kept, RuleOutcome.both(notRun, kept));
    assertEquals(notRun, RuleOutcome.both(new RuleOutcome.NotPromised(Guarantee.FAIR), notRun));
  }
}
