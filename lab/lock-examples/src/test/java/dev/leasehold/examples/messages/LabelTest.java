package dev.leasehold.examples.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A holder can be found: the label has host and process, and CLIENT LIST has the label")
class LabelTest {
  private static final Pattern NAME = Pattern.compile(" name=(\\S*) ");
  private static ServerGroup servers;

  @BeforeAll
  static void start() {
    servers = NewNodes.three();
  }

  @AfterAll
  static void stop() {
    if (servers != null) {
      servers.close();
    }
  }

  private static List<String> names() {
    RedisServer server = servers.servers().get(0);
    return String.valueOf(server.call("CLIENT", "LIST").orElseThrow())
        .lines()
        .map(NAME::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .toList();
  }

  private static void check(BackendModes kind, Map<String, String> more, String label, String name)
      throws Exception {
    Map<String, String> settings =
        new HashMap<>(kind.settings(servers.servers().stream().map(RedisServer::uri).toList()));
    settings.putAll(more);
    try (LockManager manager = LockManager.open(LockSettings.of(settings));
        Lease lease = manager.lock("x").acquire()) {
      String holder = manager.lock("x").inspect().orElseThrow().holder();
      assertTrue(holder.matches(label), holder);
      String wanted = name.isEmpty() ? holder : name;
      assertTrue(names().contains(wanted), () -> wanted + " is not in " + names());
      lease.ensureValid();
    }
  }

  @ParameterizedTest
  @EnumSource(BackendModes.class)
  @DisplayName("by default, with a label, and with another name for connections")
  void shown(BackendModes kind) throws Exception {
    String environment = System.getenv("HOSTNAME");
    String host = environment == null ? InetAddress.getLocalHost().getHostName() : environment;
    String byDefault =
        Pattern.quote(host.split("\\.")[0]) + "-" + ProcessHandle.current().pid() + "-[a-z0-9]{4}";
    check(kind, Map.of(), byDefault, "");
    check(kind, Map.of("lock.label", "till-7"), "till-7", "till-7");
    check(kind, Map.of("lock.redis.client-name", "billing"), byDefault, "billing");
    assertEquals(0, names().stream().filter("till-7"::equals).count(), "closed");
  }
}
