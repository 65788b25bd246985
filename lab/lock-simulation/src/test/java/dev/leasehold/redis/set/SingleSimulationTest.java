package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.simulation.Quiet;
import dev.leasehold.testkit.sim.SimFailure;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One server in random worlds by seed; {@code -Dleasehold.seeds=100000} runs more of them. */
class SingleSimulationTest {
  private static final int SEEDS = Integer.getInteger("leasehold.seeds", 60);

  private static long run(UnaryOperator<String> change) {
    return Quiet.during(
        () -> {
          long holds = 0;
          for (long seed = 1; seed <= SEEDS; seed++) {
            holds += new SingleRun(seed, change).run().holds();
          }
          return holds;
        });
  }

  @Test
  @DisplayName("No holds overlap, tokens grow, every owner comes to an end, and nothing is left")
  void noViolation() {
    long holds = run(UnaryOperator.identity());
    assertTrue(holds > SEEDS, "the worlds must have been busy: " + holds);
  }

  @Test
  @DisplayName("A release of whoever asks is found")
  void twin() {
    String check = "if v ~= ARGV[1] and v ~= '+' .. ARGV[1] then";
    boolean[] changed = new boolean[1];
    UnaryOperator<String> release =
        script -> {
          boolean isRelease = script.contains("Gives a lock back") && script.contains(check);
          changed[0] |= isRelease;
          return isRelease ? script.replace(check, "if not v then") : script;
        };
    assertThrows(SimFailure.class, () -> run(release));
    assertTrue(changed[0], "release.lua does not have: " + check);
  }
}
