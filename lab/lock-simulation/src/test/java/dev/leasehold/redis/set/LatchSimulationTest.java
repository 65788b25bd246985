package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.simulation.Quiet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Latches in random worlds by seed; {@code -Dleasehold.seeds=100000} runs more of them. */
class LatchSimulationTest {
  private static final int SEEDS = Integer.getInteger("leasehold.seeds", 10);

  private static String run(UnaryOperator<String> change) {
    return Quiet.during(
        () -> {
          StringBuilder all = new StringBuilder();
          for (long seed = 1; seed <= SEEDS; seed++) {
            all.append(new LatchRun(seed, change).run());
          }
          return all.toString();
        });
  }

  @Test
  @DisplayName("Waiters pass at zero, a count-down counts once, and no key stays for ever")
  void noViolation() {
    String story = run(UnaryOperator.identity());
    assertTrue(story.lines().filter(line -> line.endsWith("passes")).count() > SEEDS, story);
    assertTrue(story.contains("ends"), story);
  }

  @Test
  @DisplayName("A seed repeats its world")
  void repeats() {
    String once = Quiet.during(new LatchRun(4, UnaryOperator.identity())::run);
    assertEquals(once, Quiet.during(new LatchRun(4, UnaryOperator.identity())::run));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "return { round, tonumber(count),; return { round, math.max(0, count - 1),; CL-1",
        "if redis.call('ZSCORE', KEYS[2], ARGV[1]) then; if false then; CL-1",
        "'PTTL', KEYS[1]) - remembered; 'PTTL', KEYS[1]) - remembered - 1000; CL-3",
        "redis.call('PEXPIRE', KEYS[2], text(left + an_hour)); ; something is left",
      })
  @DisplayName("Faulty scripts are detected")
  void twin(String right, String wrong, String found) {
    String failure = ScriptTwin.failure(right, wrong, change -> run(change));
    assertTrue(failure.startsWith(found), failure);
  }
}
