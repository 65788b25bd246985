package dev.leasehold.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The modelled server behaves like real ones: sends random commands and random calls of the
 * production scripts to both, and compares all replies and data. Uses the embedded server; {@code
 * -Dleasehold.simulation.servers=path,/usr/bin/valkey-server} selects others, and {@code
 * -Dleasehold.simulation.seed} a sequence.
 */
@DisplayName("The modelled server behaves like a real one")
class SameAsRealTest {
  private static final int COMMANDS = Integer.getInteger("leasehold.simulation.commands", 3000);
  private static final int SCRIPTS = Integer.getInteger("leasehold.simulation.scripts", 3000);

  /** The limit, as a multiple of the usual number of calls. */
  private static final int MOST = 10;

  private static final long SEED =
      Long.getLong("leasehold.simulation.seed", new SplittableRandom().nextLong());

  static Stream<String> servers() {
    return Stream.of(System.getProperty("leasehold.simulation.servers", "embedded").split(","));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("servers")
  @DisplayName("for each command")
  void commands(String kind) {
    try (RedisServer server = RedisServers.start(kind, ServerOptions.defaults());
        Pair pair = new Pair(server, SEED)) {
      RandomCommands random = new RandomCommands(SEED);
      int calls = 0;
      while (isToGoOn(calls, COMMANDS, pair)) {
        pair.call(random.next());
        calls++;
      }
      assertCompared(calls, COMMANDS, pair);
      pair.compareData();
      assertTrue(pair.refusals() < calls / 3, "too many were refused: " + pair.refusals());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("servers")
  @DisplayName("for each shipped script, including the adapter's")
  void scripts(String kind) {
    try (RedisServer server = RedisServers.start(kind, ServerOptions.defaults());
        Pair pair = new Pair(server, SEED)) {
      RandomScripts random = new RandomScripts(SEED, server.runId());
      random.channels().forEach(pair::subscribe);
      int calls = 0;
      // Some scripts rarely do their work: some seeds need more calls.
      while (isToGoOn(calls, SCRIPTS, pair)
          || (calls < MOST * SCRIPTS && !random.notGranted().isEmpty())) {
        pair.call(random.next());
        calls++;
      }
      assertCompared(calls, SCRIPTS, pair);
      pair.compareData();
      assertEquals(List.of(), random.notGranted(), "scripts that never did their work");
    }
  }

  /** On a busy machine many calls are too slow to compare, so more are needed. */
  private static boolean isToGoOn(int calls, int wanted, Pair pair) {
    return calls < wanted || (calls < MOST * wanted && compared(calls, pair) < enough(wanted));
  }

  private static void assertCompared(int calls, int wanted, Pair pair) {
    assertTrue(
        compared(calls, pair) >= enough(wanted),
        () -> "too slow to compare: " + pair.slow() + " of " + calls);
  }

  private static int compared(int calls, Pair pair) {
    return calls - pair.slow();
  }

  private static int enough(int wanted) {
    return wanted * 2 / 3;
  }

  /** Shows that the comparison can fail. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("servers")
  @DisplayName("A difference is detected")
  void difference(String kind) {
    try (RedisServer server = RedisServers.start(kind, ServerOptions.defaults());
        Pair pair = new Pair(server, 1, 5_000_000)) {
      server.call("SET", "a", "1");
      assertThrows(AssertionError.class, () -> pair.call(List.of("GET", "a")));
      pair.call(List.of("SET", "a", "2", "PX", "100000"));
      pair.compareData();
      server.call("PEXPIRE", "a", "90000");
      assertThrows(AssertionError.class, () -> pair.call(List.of("PTTL", "a")));
      assertThrows(AssertionError.class, pair::compareData);
    }
  }
}
