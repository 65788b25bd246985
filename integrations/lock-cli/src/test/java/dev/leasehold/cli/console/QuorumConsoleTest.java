package dev.leasehold.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A quorum in the console")
class QuorumConsoleTest {
  // The browser's processes may still write to it when they are killed.
  @TempDir(cleanup = CleanupMode.NEVER)
  private Path profile;

  /** No lock was held on it before: it votes at once. */
  private static void admit(RedisServer server) {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
  }

  private static JsonObject node(LockWatcher watcher, int index) {
    return StateJson.of(watcher.latest(), "", false)
        .getAsJsonArray("nodes")
        .get(index)
        .getAsJsonObject();
  }

  @Test
  @DisplayName("Each node votes, is away, or does not vote yet after it lost its data")
  void nodes() throws Exception {
    try (ServerGroup group =
            ServerGroup.start(3, ServerOptions.defaults(), server -> admit(server));
        LockAdmin admin = LockAdmin.open(settings(group));
        LockWatcher watcher = new LockWatcher(admin, "*", Duration.ofMillis(100));
        ConsoleServer console = console(admin, watcher)) {
      Await.until("a look", () -> watcher.latest().nodes().size() == 3);
      assertEquals(0, node(watcher, 0).get("quarantineMs").getAsLong());
      RedisServer first = group.servers().get(0);
      first.kill();
      try {
        Await.until("it is away", () -> node(watcher, 0).has("failure"));
        assertEquals(
            List.of("node", "quarantineMs", "failure"), List.copyOf(node(watcher, 0).keySet()));
      } finally {
        first.restart(Data.LOSE);
      }
      Await.until("it does not vote", () -> node(watcher, 0).get("quarantineMs").getAsLong() > 0);
      Optional<Path> program = Browser.program();
      if (program.isPresent()) {
        looksAt(console, program.get());
      }
    }
  }

  private void looksAt(ConsoleServer console, Path program) throws Exception {
    try (Browser browser = Browser.start(program, profile)) {
      browser.open(URI.create("http://127.0.0.1:" + console.port() + "/"));
      String text = "document.getElementById('quorum')?.innerText ?? ''";
      Await.until("the nodes are shown", () -> value(browser, text).contains("votes"));
      List<String> lines = value(browser, text).lines().toList();
      assertEquals(4, lines.size(), lines::toString);
      assertTrue(lines.get(1).contains(" does not vote for "), lines::toString);
      assertTrue(lines.get(2).endsWith(" votes"), lines::toString);
    }
  }

  private static String value(Browser browser, String expression) {
    try {
      return browser.value(expression);
    } catch (Exception e) {
      throw new AssertionError(expression, e);
    }
  }

  private static ConsoleServer console(LockAdmin admin, LockWatcher watcher) throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new ConsoleServer(admin, watcher, any, Set.of(), null);
  }

  private static LockSettings settings(ServerGroup group) {
    String uris = group.servers().stream().map(RedisServer::uri).collect(Collectors.joining(","));
    return LockSettings.of(Map.of("lock.backend", "redlock", "lock.redlock.nodes", uris));
  }
}
