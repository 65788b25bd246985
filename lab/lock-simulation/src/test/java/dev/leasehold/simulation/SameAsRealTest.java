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
 * The modelled server answers as real ones do: random commands, and random calls of the scripts
 * that ship, to both; each reply and all data are compared. On the embedded server; {@code
 * -Dleasehold.simulation.servers=path,/usr/bin/valkey-server} names others, and {@code
 * -Dleasehold.simulation.seed} one sequence.
 */
@DisplayName("The modelled server does what a real one does")
class SameAsRealTest {
  private static final int COMMANDS = Integer.getInteger("leasehold.simulation.commands", 3000);
  private static final int SCRIPTS = Integer.getInteger("leasehold.simulation.scripts", 3000);
  private static final long SEED =
      Long.getLong("leasehold.simulation.seed", new SplittableRandom().nextLong());

  static Stream<String> servers() {
    return Stream.of(System.getProperty("leasehold.simulation.servers", "embedded").split(","));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("servers")
  @DisplayName("each command, one by one")
  void commands(String kind) {
    try (RedisServer server = RedisServers.start(kind, ServerOptions.defaults());
        Pair pair = new Pair(server, SEED)) {
      RandomCommands random = new RandomCommands(SEED);
      for (int i = 0; i < COMMANDS; i++) {
        pair.call(random.next());
      }
      pair.compareData();
      assertTrue(pair.slow() < COMMANDS / 3, "too slow to compare: " + pair.slow());
      assertTrue(pair.refusals() < COMMANDS / 3, "too many were refused: " + pair.refusals());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("servers")
  @DisplayName("each script that ships, ours and the adapter's")
  void scripts(String kind) {
    try (RedisServer server = RedisServers.start(kind, ServerOptions.defaults());
        Pair pair = new Pair(server, SEED)) {
      RandomScripts random = new RandomScripts(SEED, server.runId());
      random.channels().forEach(pair::subscribe);
      // Some do their work rarely: for a few seeds more are needed.
      for (int i = 0; i < SCRIPTS || (i < 5 * SCRIPTS && !random.notGranted().isEmpty()); i++) {
        pair.call(random.next());
      }
      pair.compareData();
      assertTrue(pair.slow() < SCRIPTS / 3, "too slow to compare: " + pair.slow());
      assertEquals(List.of(), random.notGranted(), "scripts that never did their work");
    }
  }

  /** So that the comparison can fail. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("servers")
  @DisplayName("and where it does not, that is seen")
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
