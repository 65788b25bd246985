package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.history.Violation;
import dev.leasehold.testkit.sim.SimFailure;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real engine and the real quorum in random worlds by seed. {@code -Dleasehold.seeds=100000}
 * runs more of them, {@code -Dleasehold.seed=4711} one, whose failure prints its schedule.
 */
class QuorumSimulationTest {
  private static final int SEEDS = Integer.getInteger("leasehold.seeds", 200);
  private static final long ONE = Long.getLong("leasehold.seed", 0);
  private static final int MUTANT_WORLDS = 3000;

  @Test
  @DisplayName("Inside the fault model no holds overlap, tokens grow, and nothing is left")
  void noViolation() {
    long holds = 0;
    long first = ONE == 0 ? 1 : ONE;
    long last = ONE == 0 ? SEEDS : ONE;
    for (long seed = first; seed <= last; seed++) {
      Verdict verdict = new QuorumRun(seed, Mutant.NONE).run();
      holds += verdict.holds();
      assertEquals(List.of(), verdict.of(Violation.Kind.OVERLAP), "seed " + seed);
    }
    System.out.printf("quorum: %d worlds, %d holds, no overlap%n", last - first + 1, holds);
    assertTrue(holds > (last - first + 1), "the worlds must have been busy");
  }

  @ParameterizedTest
  @EnumSource(
      value = Mutant.class,
      names = {"IMMEDIATE_RESTART", "EARLY_RESTART", "CLOCK_JUMP"})
  @DisplayName("Outside the model holds overlap, and fencing still rejects the stale holder")
  void outside(Mutant mutant) {
    for (long seed : worlds(mutant)) {
      // Throws if the fenced resource took a stale write, or a token fell.
      Verdict verdict = new QuorumRun(seed, mutant).run();
      if (!verdict.of(Violation.Kind.OVERLAP).isEmpty()) {
        System.out.println(mutant + ": overlap found by seed " + seed);
        return;
      }
    }
    throw new AssertionError(mutant + ": no overlap in " + MUTANT_WORLDS + " worlds");
  }

  @ParameterizedTest
  @EnumSource(
      value = Mutant.class,
      names = {
        "HALF_THE_VOTES",
        "ELAPSED_IGNORED",
        "CLOCK_READ_LATE",
        "NO_DRIFT",
        "UNCONDITIONAL_DELETE"
      })
  @DisplayName("A quorum with one fault lets holds overlap in some world")
  void mutants(Mutant mutant) {
    for (long seed : worlds(mutant)) {
      try {
        new QuorumRun(seed, mutant).run();
      } catch (SimFailure failure) {
        if (String.valueOf(failure.getMessage()).contains("OVERLAP")) {
          System.out.println(mutant + ": overlap found by seed " + seed);
          return;
        }
      }
    }
    throw new AssertionError(mutant + ": no overlap in " + MUTANT_WORLDS + " worlds");
  }

  /** First the world that shows it at present; then all, for when the code draws otherwise. */
  private static long[] worlds(Mutant mutant) {
    long known =
        switch (mutant) {
          case HALF_THE_VOTES -> 3;
          case CLOCK_JUMP -> 12;
          case EARLY_RESTART -> 24;
          case ELAPSED_IGNORED -> 41;
          case IMMEDIATE_RESTART -> 52;
          case CLOCK_READ_LATE -> 107;
          case NO_DRIFT -> 534;
          default -> 1;
        };
    return LongStream.concat(LongStream.of(known), LongStream.rangeClosed(1, MUTANT_WORLDS))
        .toArray();
  }

  @Test
  @DisplayName("The same seed gives the same schedule")
  void replays() {
    long seed = 1;
    while (messageOf(seed).isEmpty()) {
      seed++;
    }
    assertEquals(messageOf(seed), messageOf(seed));
  }

  private static String messageOf(long seed) {
    QuorumRun run = new QuorumRun(seed, Mutant.UNCONDITIONAL_DELETE);
    try {
      run.run();
      return "";
    } catch (SimFailure failure) {
      return String.valueOf(failure.getMessage());
    }
  }
}
