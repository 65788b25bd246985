package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisCluster;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The least users that the page prints can do all that locks need")
class AclTest {
  /**
   * Commands that clients try but can do without: Redisson tries a script on a key test1, and asks
   * clusters for sharded pub/sub.
   */
  private static final String DONE_WITHOUT =
      "(?is).*object,"
          + " (client(\\|setinfo)?|command(\\|info)?|pubsub(\\|(shard)?num(pat|sub))?|test1),"
          + ".*";

  /** By executable: starting a cluster takes longer than using it. */
  private static final Map<String, RedisCluster> CLUSTERS = new HashMap<>();

  private final List<RedisServer> servers = new ArrayList<>();

  /** The executable of each kind of server, if installed. */
  private static Optional<String> program(String kind) {
    return switch (kind) {
      case "kit" -> Optional.of(RedisServers.kind());
      case "valkey" -> named("leasehold.valkey", "valkey-server");
      case "redis 8" -> named("leasehold.redis8", "redis-server-8");
      default -> named("leasehold.redis7", "redis-server");
    };
  }

  private static Optional<String> named(String property, String program) {
    return Optional.ofNullable(System.getProperty(property))
        .or(
            () ->
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                    .map(folder -> Path.of(folder, program))
                    .filter(Files::isExecutable)
                    .map(Path::toString)
                    .findFirst());
  }

  /** Each ACL line with the settings above it, for each kind of server. */
  static Stream<Arguments> users() throws IOException {
    List<String> page = Files.readAllLines(Repository.root().resolve("docs/topologies.md"));
    List<Arguments> all = new ArrayList<>();
    for (int i = 1; i < page.size(); i++) {
      if (page.get(i).startsWith("ACL SETUSER ")) {
        for (String kind : List.of("kit", "redis 7", "redis 8", "valkey")) {
          all.add(Arguments.of(kind, page.get(i - 1).substring(2), page.get(i)));
        }
      }
    }
    assertTrue(all.size() >= 40, "lines that begin with ACL SETUSER");
    return all.stream();
  }

  /** Those whose releases can be the server's own compare-and-delete. */
  static Stream<Arguments> nativeUsers() throws IOException {
    return users()
        .filter(user -> List.of("redis 8", "valkey").contains(user.get()[0]))
        .filter(user -> !user.get()[1].toString().matches(".*(redisson|scheme = ).*"));
  }

  private LockManager open(String what, String label, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    String[] parts = what.split(", ");
    settings.put("lock.backend", parts[0]);
    for (String part : List.of(parts).subList(1, parts.length)) {
      settings.put(part.split(" = ")[0], part.split(" = ")[1]);
    }
    settings.put("lock.redis.username", "locks");
    settings.put("lock.redis.password", "secret");
    settings.put("lock.label", label);
    settings.put("lock.redis.connect-timeout", "20s"); // the first connection of a busy JVM
    settings.put(
        parts[0].equals("redlock") ? "lock.redlock.nodes" : "lock.redis.uri",
        parts[0].equals("redlock")
            ? servers.stream().map(RedisServer::uri).collect(Collectors.joining(","))
            : servers.get(0).uri());
    return LockManager.open(LockSettings.of(settings));
  }

  private void start(String program, String what, String user) {
    for (int i = 0; i < (what.startsWith("redlock") ? 3 : 1); i++) {
      RedisServer server = RedisServers.start(program, ServerOptions.defaults());
      servers.add(server);
      server.call(user.split(" "));
      // Votes at once; the first client writes the entry again.
      server.call(
          "HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0", "replid", "");
      server.call("ACL", "LOG", "RESET");
    }
  }

  @AfterEach
  void stop() {
    servers.forEach(RedisServer::close);
  }

  @ParameterizedTest(name = "{1} on {0}")
  @MethodSource("users")
  @DisplayName("on 6.2, 7.0, 8.4 and later, and Valkey")
  void leastUser(String kind, String what, String user) throws Exception {
    Optional<String> program = program(kind);
    assumeTrue(program.isPresent(), () -> "not run: there is no " + kind + " here");
    start(program.orElseThrow(), what, user);
    try (LockManager one = open(what, "one", Map.of());
        LockManager two = open(what, "two", Map.of())) {
      EverythingLocksDo.with(one, two);
    }
    assertEquals(List.of(), refused());
  }

  @ParameterizedTest(name = "{1} on {0}")
  @MethodSource("nativeUsers")
  @DisplayName("and release by the server's own command with what the page adds")
  void nativeReleases(String kind, String what, String user) throws Exception {
    Optional<String> program = program(kind);
    assumeTrue(program.isPresent(), () -> "not run: there is no " + kind + " here");
    String added = addedFor(kind);
    start(program.orElseThrow(), what, user + " " + added);
    String command = added.substring(added.lastIndexOf('+') + 1);
    try (LockManager one = open(what, "one", Map.of());
        LockManager two = open(what, "two", Map.of())) {
      Await.until(
          "every server is asked, and releases by its own command",
          () -> {
            one.lock("orders").acquire().release();
            return servers.stream()
                .allMatch(server -> stats(server, command).matches(".*:calls=[1-9].*"));
          });
      EverythingLocksDo.with(one, two);
    }
    assertEquals(List.of(), refused());
    for (RedisServer server : servers) {
      String stats = stats(server, command) + stats(server, "command|info");
      assertTrue(!stats.matches(".*rejected_calls=[1-9].*"), stats);
    }
  }

  private static String addedFor(String kind) throws IOException {
    String page = Files.readString(Repository.root().resolve("docs/topologies.md"));
    Matcher added =
        Pattern.compile("On Redis from 8\\.4 on add `(.+?)`, on Valkey 9 `(.+?)`").matcher(page);
    assertTrue(added.find(), "what the page adds for native releases");
    return added.group(kind.equals("valkey") ? 2 : 1);
  }

  /** What the server counted of a command; empty if it was never sent. */
  private static String stats(RedisServer server, String command) {
    return server
        .call("INFO", "commandstats")
        .orElseThrow()
        .toString()
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":"))
        .findFirst()
        .orElse("");
  }

  /** The commands that any server refused, except those that clients can do without. */
  private List<String> refused() {
    return servers.stream()
        .flatMap(server -> ((List<?>) server.call("ACL", "LOG").orElseThrow()).stream())
        .map(String::valueOf)
        .filter(entry -> !entry.matches(DONE_WITHOUT))
        .toList();
  }

  @ParameterizedTest(name = "{1} on {0}")
  @MethodSource("users")
  @DisplayName("in clusters with what the page adds, if -Dleasehold.clusters=true requests them")
  void inCluster(String kind, String what, String user) throws Exception {
    assumeTrue(Boolean.getBoolean("leasehold.clusters"), "not run: clusters were not requested");
    assumeTrue(!what.startsWith("redlock"), "not run: a quorum's nodes are no cluster");
    Optional<String> program = program(kind);
    assumeTrue(program.isPresent(), () -> "not run: there is no " + kind + " here");
    try {
      servers.addAll(cluster(program.orElseThrow()).nodes());
      String added = added(what.split(",")[0]);
      for (RedisServer server : servers) {
        server.call("FLUSHALL");
        server.call("ACL", "DELUSER", "locks");
        server.call((user + " " + added).split(" "));
        server.call("ACL", "LOG", "RESET");
      }
      Map<String, String> clustered = Map.of("lock.redis.cluster", "true");
      try (LockManager one = open(what, "one", clustered);
          LockManager two = open(what, "two", clustered)) {
        EverythingLocksDo.with(one, two);
        assertEquals(List.of(), refused());
      }
    } finally {
      servers.clear(); // the cluster keeps running
    }
  }

  /** What must be added to a backend's line for a single server. */
  private String added(String backend) throws IOException {
    boolean sharded =
        servers.get(0).call("COMMAND", "INFO", "spublish").toString().contains("spublish");
    String title = "# " + backend + ", in a cluster";
    List<String> page = Files.readAllLines(Repository.root().resolve("docs/topologies.md"));
    int at = page.indexOf(title);
    assertTrue(at >= 0, title);
    int ofSharded = page.indexOf(title + " with sharded pub/sub");
    return page.get(1 + (sharded && ofSharded >= 0 ? ofSharded : at));
  }

  private static RedisCluster cluster(String program) {
    return CLUSTERS.computeIfAbsent(
        program, p -> RedisCluster.start(p, 3, 0, ServerOptions.defaults()));
  }

  @AfterAll
  static void stopClusters() {
    CLUSTERS.values().forEach(RedisCluster::close);
    CLUSTERS.clear();
  }
}
