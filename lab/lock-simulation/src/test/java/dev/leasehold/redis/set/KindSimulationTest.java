package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.simulation.KindWorld.Kind;
import dev.leasehold.simulation.Quiet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Kinds of locks in random worlds by seed; {@code -Dleasehold.seeds=100000} runs more of them. */
class KindSimulationTest {
  private static final int SEEDS = Integer.getInteger("leasehold.seeds", 15);

  private static long run(Kind kind, UnaryOperator<String> change) {
    return Quiet.during(
        () -> {
          long holds = 0;
          for (long seed = 1; seed <= SEEDS; seed++) {
            holds += new KindRun(seed, kind, change).run().lines().count();
          }
          return holds;
        });
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "No more holds than allowed, tokens increase, every owner ends, nothing is left behind")
  void noViolation(Kind kind) {
    long holds = run(kind, UnaryOperator.identity());
    assertTrue(holds > 5L * SEEDS, "the worlds must have been busy: " + holds);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("A seed repeats its world")
  void repeats(Kind kind) {
    String once = Quiet.during(() -> new KindRun(4, kind, UnaryOperator.identity()).run());
    String again = Quiet.during(() -> new KindRun(4, kind, UnaryOperator.identity()).run());
    assertEquals(once, again);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "SEMAPHORE; + mode <= number; + mode <= number + 1; SE-1",
        "READ_WRITE; and (mode == 'r' or redis.call('ZCARD', KEYS[1]) == 0); ; RW-1",
        "READ_WRITE; v = math.max(written + 1, proposed); v = math.max(written, proposed); RW-6"
      })
  @DisplayName("Faulty scripts are detected")
  void twin(Kind kind, String right, String wrong, String found) {
    String failure = ScriptTwin.failure(right, wrong, change -> run(kind, change));
    assertTrue(failure.contains(found), failure);
  }
}
