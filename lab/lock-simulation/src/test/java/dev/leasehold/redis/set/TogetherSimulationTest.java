package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.simulation.Quiet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several locks at once in random worlds by seed; {@code -Dleasehold.seeds} runs more of them. */
class TogetherSimulationTest {
  private static final int SEEDS = Integer.getInteger("leasehold.seeds", 10);

  /** Enough for one of them to show the mistake. */
  private static final int TWINS_SEEDS = Math.max(100, SEEDS);

  private static String run(int seeds, UnaryOperator<String> change) {
    return Quiet.during(
        () -> {
          StringBuilder all = new StringBuilder();
          for (long seed = 1; seed <= seeds; seed++) {
            all.append(new TogetherRun(seed, change).run());
          }
          return all.toString();
        });
  }

  @Test
  @DisplayName("All or none, one holder per name, one token, and every acquisition ends")
  void noViolation() {
    String story = run(SEEDS, UnaryOperator.identity());
    assertTrue(story.lines().filter(line -> line.contains(", ")).count() > 5L * SEEDS, story);
  }

  @Test
  @DisplayName("A seed repeats its world")
  void repeats() {
    String once = Quiet.during(new TogetherRun(4, UnaryOperator.identity())::run);
    assertEquals(once, Quiet.during(new TogetherRun(4, UnaryOperator.identity())::run));
  }

  @ParameterizedTest(name = "{2}: {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "if not mine[i] and (v or i > wanted) then; if i == 1 and v and not mine[i] then; MU-5",
        "replies[i] = 0; replies[i] = 0 if not v and i <= wanted then redis.call('SET', KEYS[i],"
            + " ARGV[2 + i], 'PX', ARGV[1]) end; MU-1",
        "v = next_numbers(last, t[1] * 1000000 + t[2], 0, 0); v = 1; MU-5",
        "elseif v == ARGV[3 * i + 1] or v == '+' .. ARGV[3 * i + 1] then; elseif v then; EX-1"
      })
  @DisplayName("A faulty script is detected")
  void twin(String right, String wrong, String found) {
    String failure = ScriptTwin.failure(right, wrong, change -> run(TWINS_SEEDS, change));
    assertTrue(failure.startsWith(found), failure);
  }
}
