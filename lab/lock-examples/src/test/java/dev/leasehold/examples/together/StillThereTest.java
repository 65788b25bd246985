package dev.leasehold.examples.together;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A client of a quorum that holds nothing reports itself to each node again and again")
class StillThereTest {
  /** A single line, since all clients have the same longest lease. */
  private static final Pattern CLIENTS = Pattern.compile("\\d+ \\d+ (\\d+)\n");

  /** By the server's clock, in ms. */
  private static long knownUntil(RedisServer server) {
    String clients = String.valueOf(server.call("HGET", "lh:node", "clients").orElse(""));
    Matcher m = CLIENTS.matcher(clients);
    assertTrue(m.matches(), clients);
    return Long.parseLong(m.group(1));
  }

  @ParameterizedTest(name = "on nodes of {0}")
  @ValueSource(strings = {"redis-set", "redisson"})
  @DisplayName("so that they know how long its leases may last before they vote for it")
  void entersAgain(String nodes) {
    try (ServerGroup servers = NewNodes.three();
        LockManager locks =
            LockManager.open(
                LockSettings.of(
                    Map.of(
                        "lock.backend", "redlock",
                        "lock.redlock.nodes", servers.uri(),
                        "lock.redlock.node-backend", nodes,
                        "lock.lease", "1s",
                        "lock.redlock.longest-lease", "2s")))) {
      List<Long> first = servers.servers().stream().map(StillThereTest::knownUntil).toList();
      for (int i = 0; i < first.size(); i++) {
        RedisServer server = servers.servers().get(i);
        long twice = first.get(i) + 1000; // a single renewal adds less than that
        Await.until("it has entered again, twice", () -> knownUntil(server) > twice);
      }
      locks.lock("none"); // still open
    }
  }
}
