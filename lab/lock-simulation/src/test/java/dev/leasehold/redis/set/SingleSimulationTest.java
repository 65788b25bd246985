package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.redis.set.SingleRun.Scheme;
import dev.leasehold.simulation.Quiet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** One server in random worlds by seed; {@code -Dleasehold.seeds=100000} runs more of them. */
class SingleSimulationTest {
  private static final int SEEDS = Integer.getInteger("leasehold.seeds", 60);

  private static long run(Scheme scheme, UnaryOperator<String> change) {
    long seeds = scheme == Scheme.REDIS_SET ? SEEDS : SEEDS / 2;
    return Quiet.during(
        () -> {
          long holds = 0;
          for (long seed = 1; seed <= seeds; seed++) {
            holds += new SingleRun(seed, scheme, change).run().holds();
          }
          return holds;
        });
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "No holds overlap, tokens increase, minimum holds are kept, every owner ends, nothing is"
          + " left")
  void noViolation(Scheme scheme) {
    long holds = run(scheme, UnaryOperator.identity());
    assertTrue(holds > SEEDS, "the worlds must have been busy: " + holds);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "REDIS_SET; if v ~= ARGV[1] and v ~= '+' .. ARGV[1] then; if not v then; OVERLAP",
        "IN_ORDER; taken = passed == 1; ; OVERLAP",
        "IN_ORDER; if not w or w == ARGV[5]; if true; FA-2: ",
        "IN_ORDER; or ARGV[14] == '1' and at > place; ; FA-2: ",
        "IN_ORDER; redis.pcall('ZRANGE', waiters, 0, 0, 'WITHSCORES');"
            + " redis.pcall('ZRANGE', waiters, 1, 1, 'WITHSCORES'); FA-2: ",
        "IN_ORDER; 'PX', ways.kept; 'PX', 3 * ways.kept; FA-3: ",
        "SETNX; local taken = redis.call('SETNX', KEYS[1], ARGV[1]) == 1;"
            + " redis.call('SET', KEYS[1], ARGV[1]) local taken = true; OVERLAP",
        "FAIR; if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then; if false then; OVERLAP",
        "REDIS_SET; redis.call('SET', KEYS[1], '-' .. ARGV[1], 'PX',"
            + " string.format('%.0f', rest)); ; with a minimum of",
        "FAIR; redis.call('HSET', KEYS[1], tombstone, 1); ; with a minimum of"
      })
  @DisplayName("Faulty scripts are detected")
  void twin(Scheme scheme, String right, String wrong, String found) {
    String failure = ScriptTwin.failure(right, wrong, change -> run(scheme, change));
    assertTrue(failure.contains(found), failure);
  }
}
