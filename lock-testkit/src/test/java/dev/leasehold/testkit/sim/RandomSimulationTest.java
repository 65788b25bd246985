package dev.leasehold.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.history.Violation;
import dev.leasehold.testkit.sim.RandomRun.Faults;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random worlds by seed. {@code -Dleasehold.seeds=100000} runs more of them, {@code
 * -Dleasehold.seed=4711} one.
 */
@ExtendWith(QuietLog.class)
class RandomSimulationTest {
  private static final int SEEDS = Integer.getInteger("leasehold.seeds", 900);
  private static final long ONE = Long.getLong("leasehold.seed", 0);

  @ParameterizedTest
  @EnumSource(Faults.class)
  @DisplayName("No holds overlap, tokens grow and nothing is left, whatever goes wrong")
  void noViolation(Faults faults) {
    int holds = 0;
    int refusals = 0;
    int environment = 0;
    int overlaps = 0;
    int worlds = SEEDS / Faults.values().length;
    for (long seed = 1; seed <= worlds; seed++) {
      Verdict verdict =
          new RandomRun(ONE == 0 ? seed : ONE, faults, EnumSet.noneOf(Flaw.class)).run();
      holds += verdict.holds();
      refusals += verdict.refusals();
      environment += verdict.violations().size();
      overlaps += verdict.of(Violation.Kind.OVERLAP).size();
    }
    System.out.printf(
        "%s: %d worlds, %d holds, %d refusals, %d late writes, %d overlaps%n",
        faults, worlds, holds, refusals, environment - overlaps, overlaps);
    assertTrue(holds > worlds * 20, "the worlds must have been busy");
    assertTrue(refusals > worlds, "with attempts that were refused");
    assertTrue(environment > 0, "and pauses past deadlines");
    assertEquals(faults == Faults.OUTSIDE, overlaps > 0, "exclusion breaks outside alone");
  }

  @ParameterizedTest
  @EnumSource(
      value = Flaw.class,
      names = {
        "WAKES_NOBODY",
        "FENCE_COUNTS_ONLY",
        "RAISES_NOTHING",
        "GIVES_BACK_BLINDLY",
        "RENEWAL_IGNORES_TOKEN",
        "RENEWAL_SHORTENS"
      },
      mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("Each flaw of a server lets holds overlap in some world")
  void flawsAreFound(Flaw flaw) {
    assertTrue(found(Faults.STRAY, Set.of(flaw)).contains("OVERLAP"), flaw::toString);
  }

  @Test
  @DisplayName("A fence that only counts is found to fall after data was lost")
  void aCountingFence() {
    String found = found(Faults.OUTSIDE, Set.of(Flaw.FENCE_COUNTS_ONLY));
    assertTrue(found.contains("TOKEN_NOT_INCREASING"), found);
  }

  @Test
  @DisplayName("Numbers returned blindly are detected when they are issued again")
  void blindlyGivenBack() {
    String found = found(Faults.STRAY, Set.of(Flaw.GIVES_BACK_BLINDLY));
    assertTrue(found.contains("TOKEN_NOT_INCREASING"), found);
  }

  @Test
  @DisplayName("A server without wake-ups breaks no rule of exclusion")
  void nobodyWoken() {
    for (long seed = 1; seed <= 20; seed++) {
      new RandomRun(seed, Faults.PLAIN, Set.of(Flaw.WAKES_NOBODY)).run();
    }
  }

  private static String found(Faults faults, Set<Flaw> flaws) {
    for (long seed = 1; seed <= 3000; seed++) {
      try {
        new RandomRun(seed, faults, flaws).run();
      } catch (SimFailure failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.contains("(BUG)")) {
          System.out.println(flaws + " found by seed " + seed);
          return message;
        }
      }
    }
    return "nothing in 3000 worlds";
  }

  @Test
  @DisplayName("The same seed gives the same history")
  void replays() {
    String first = assertThrows(SimFailure.class, () -> flawed()).getMessage();
    assertEquals(first, assertThrows(SimFailure.class, () -> flawed()).getMessage());
  }

  private static void flawed() {
    for (long seed = 1; seed <= 1000; seed++) {
      new RandomRun(seed, Faults.STRAY, Set.of(Flaw.RELEASE_IGNORES_TOKEN)).run();
    }
  }
}
