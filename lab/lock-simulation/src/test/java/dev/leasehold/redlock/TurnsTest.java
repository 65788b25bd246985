package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.redlock.TurnsRun.Result;
import dev.leasehold.simulation.Quiet;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes that contend for one lock on an overloaded machine. */
class TurnsTest {
  private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

  private static final UnaryOperator<String> AS_SHIPPED = UnaryOperator.identity();

  private static Result run(
      int nodes, int processes, boolean isOneDown, UnaryOperator<String> how) {
    return Quiet.during(() -> new TurnsRun(nodes, processes, how).run(isOneDown));
  }

  @ParameterizedTest(name = "{0} nodes, {1} processes, one node is down: {2}")
  @CsvSource({"3,2,false", "3,8,false", "3,8,true", "5,4,false"})
  @DisplayName(
      "No wait exceeds half a second, and each process gets at least half of an even share")
  void nobodyStarves(int nodes, int processes, boolean isOneDown) {
    Result result = run(nodes, processes, isOneDown, AS_SHIPPED);
    assertTrue(result.longestWait().compareTo(HALF_A_SECOND) < 0, result::toString);
    assertTrue(result.leastShare() >= 0.5, result::toString);
    assertTrue(result.sections() > 1000, result::toString);
  }

  // Over 120 seeds (-Dleasehold.seed) each: at most 395, 1133 and 426 ms. A turn missed by a
  // process without CPU time costs 500 ms where a node is down.
  @ParameterizedTest(name = "{0} nodes, {1} processes, one node is down: {2}")
  @CsvSource({"3,8,false,600", "3,8,true,1500", "5,4,false,600"})
  @DisplayName(
      "In order of arrival each process gets an even share within a tenth, without long waits")
  void inOrder(int nodes, int processes, boolean isOneDown, long atMostMillis) {
    TurnsRun run = new TurnsRun(nodes, processes, true, AS_SHIPPED);
    Result result = Quiet.during(() -> run.run(isOneDown));
    assertTrue(result.longestWait().toMillis() < atMostMillis, result::toString);
    assertTrue(result.leastShare() >= 0.9, result::toString);
    assertTrue(result.sections() > 200, result::toString);
  }

  // Nothing is reserved; or only for a token that is never used again, as where a node is down.
  @ParameterizedTest(name = "{0}, one node is down: {1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "pass-on.lua;false;redis.pcall('SET', lock, '+' .. token, 'PX', ways.kept);{}",
        "acquire.lua;true;local me = ARGV[5] and string.match(ARGV[5], '^[^:]*:?(.*)') or ARGV[1];"
            + "local me = ARGV[1]",
      })
  @DisplayName("Without the turns, some processes wait longer")
  void twin(String file, boolean isOneDown, String right, String wrong) {
    Result result = run(3, 8, isOneDown, ScriptChange.of(right, wrong).in(file));
    Result shipped = run(3, 8, isOneDown, AS_SHIPPED);
    assertTrue(
        result.longestWait().compareTo(shipped.longestWait()) > 0,
        () -> result + "; as shipped: " + shipped);
  }
}
