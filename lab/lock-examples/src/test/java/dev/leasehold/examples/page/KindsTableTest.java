package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.examples.Repository;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The page of kinds lists the guarantees of each manager")
class KindsTableTest {
  private static final String FAIR = "lock.redis.fair=true";
  private static final Pattern GUARANTEE = Pattern.compile("`([A-Z_]+)`");
  private static final Pattern SETTING = Pattern.compile("`(lock\\.[a-z.]+) = (\\w+)`");

  private static ServerGroup servers;

  /** The table's columns, with all modes that the page assigns to each. */
  enum Column {
    SCRIPTS("`redis-set`, `redis-setnx`", "redis-set", "redis-setnx", "memory"),
    SCRIPTS_FAIR("the same, fair", "redis-set " + FAIR, "redis-setnx " + FAIR),
    TIMESTAMP("`setnx-timestamp`", "redis-setnx lock.redis-setnx.scheme=setnx-timestamp"),
    PLAIN(
        "plain mode; times",
        "redis-set lock.redis-set.mode=plain",
        "redis-setnx lock.redis-setnx.scheme=yii2",
        "redis-setnx lock.redis-setnx.scheme=redis-objects",
        "redis-setnx lock.redis-setnx.scheme=millis",
        "redis-setnx lock.redis-setnx.scheme=seconds",
        "redlock lock.redis-set.mode=plain"),
    QUORUM("`redlock`", "redlock", "redlock lock.redlock.node-backend=redis-setnx"),
    QUORUM_FAIR(
        "`redlock`, fair",
        "redlock " + FAIR,
        "redlock lock.redlock.node-backend=redis-setnx " + FAIR),
    QUORUM_ON_REDISSON("`redlock` on `redisson`", "redlock lock.redlock.node-backend=redisson"),
    REDISSON("`redisson`", "redisson"),
    REDISSON_FAIR("`redisson`, fair", "redisson lock.redisson.mode=fair");

    private final String head;
    private final List<String> settings;

    Column(String head, String... settings) {
      this.head = head;
      this.settings = List.of(settings);
    }

    static Stream<String> all() {
      return Stream.of(values())
          .flatMap(column -> column.settings.stream().map(each -> column + " " + each));
    }
  }

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

  @BeforeEach
  void empty() {
    for (RedisServer server : servers.servers()) {
      server.call("FLUSHALL");
      NewNodes.mayVote(server);
    }
  }

  private static LockManager open(String backend, List<String> more) {
    List<String> uris = servers.servers().stream().map(RedisServer::uri).toList();
    Map<String, String> all = new HashMap<>();
    all.put("lock.backend", backend);
    switch (backend) {
      case "redlock" -> all.put("lock.redlock.nodes", String.join(",", uris));
      case "memory" -> {}
      default -> all.put("lock.redis.uri", uris.get(0));
    }
    for (String setting : more) {
      all.put(setting.split("=")[0], setting.split("=")[1]);
    }
    return LockManager.open(LockSettings.of(all));
  }

  /**
   * The table with this beginning of its header: cells by column head, then by first cell of the
   * row.
   */
  private static Map<String, Map<String, String>> table(String first) throws IOException {
    String page = Files.readString(Repository.root().resolve("docs/kinds.md"));
    List<List<String>> lines =
        page.substring(page.indexOf("\n" + first) + 1)
            .lines()
            .takeWhile(line -> line.startsWith("|"))
            .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ")))
            .collect(Collectors.toCollection(ArrayList::new));
    List<String> heads = lines.remove(0);
    lines.remove(0); // the rule below them
    Map<String, Map<String, String>> columns = new LinkedHashMap<>();
    for (int i = 1; i < heads.size(); i++) {
      Map<String, String> column = new LinkedHashMap<>();
      for (List<String> row : lines) {
        column.put(row.get(0), row.get(i));
      }
      columns.put(heads.get(i), column);
    }
    return columns;
  }

  private static boolean isSaid(String cell) {
    assertTrue(cell.equals("yes") || cell.equals("–"), cell);
    return cell.equals("yes");
  }

  /** Whether a hold has a token; false for a missing kind. */
  private static boolean hasToken(Callable<Optional<Lease>> attempt) throws Exception {
    try (Lease lease = attempt.call().orElseThrow()) {
      return lease.fencingToken() > 0;
    } catch (UnsupportedOperationException | LockConfigurationException none) {
      return false;
    }
  }

  private static boolean elects(DistributedLock lock) {
    LeaderElection.Builder standing;
    try {
      standing = LeaderElection.on(lock);
    } catch (IllegalArgumentException refused) {
      return false;
    }
    CompletableFuture<Boolean> elected = new CompletableFuture<>();
    LeaderElection election = standing.elected(lease -> elected.complete(true)).start();
    try {
      return Await.value(elected);
    } finally {
      election.close();
    }
  }

  /** A row's property that is not itself a guarantee. */
  private static boolean isSo(String row, LockManager locks) throws Exception {
    boolean sides = locks.guarantees().contains(Guarantee.SHARED);
    switch (row) {
      case "their sides have fencing tokens" -> {
        boolean written = hasToken(() -> locks.readWriteLock("page").write().tryAcquire());
        assertEquals(written, hasToken(() -> locks.readWriteLock("page").read().tryAcquire()));
        return written;
      }
      case "Elections, on locks, write sides and several at once" -> {
        if (sides) {
          assertTrue(elects(locks.readWriteLock("led").write()));
          assertFalse(elects(locks.readWriteLock("led").read()));
        }
        return elects(locks.lock("leader")) && elects(locks.all("leader-1", "leader-2"));
      }
      default -> throw new IllegalStateException("the page has '" + row + "', which is new");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.leasehold.examples.page.KindsTableTest$Column#all")
  @DisplayName("of each promise")
  void promises(String which) throws Exception {
    List<String> words = List.of(which.split(" "));
    String head = Column.valueOf(words.get(0)).head;
    Map<String, String> column = table("| Promise |").get(head);
    assertNotNull(column, head);
    assertTrue(column.size() >= 15, column::toString);
    try (LockManager locks = open(words.get(1), words.subList(2, words.size()))) {
      for (Map.Entry<String, String> row : column.entrySet()) {
        Matcher named = GUARANTEE.matcher(row.getKey());
        boolean is =
            named.find()
                ? locks.guarantees().contains(Guarantee.valueOf(named.group(1)))
                : isSo(row.getKey(), locks);
        assertEquals(is, isSaid(row.getValue()), row.getKey());
      }
      tokens(locks);
      refusals(locks);
    }
  }

  /** Checks that tokens are provided where promised, and nowhere else. */
  private static void tokens(LockManager locks) throws Exception {
    Set<Guarantee> all = locks.guarantees();
    assertEquals(all.contains(Guarantee.FENCING), hasToken(() -> locks.lock("a").tryAcquire()));
    assertEquals(
        all.contains(Guarantee.TOGETHER), hasToken(() -> locks.all("a", "b").tryAcquire()));
    assertEquals(
        all.contains(Guarantee.SLOTS), hasToken(() -> locks.semaphore("few", 2).tryAcquire()));
  }

  /** Checks that missing kinds are refused at once. */
  private static void refusals(LockManager locks) {
    Map<Guarantee, Executable> kinds =
        Map.of(
            Guarantee.SHARED, () -> locks.readWriteLock("page"),
            Guarantee.PERMITS, () -> locks.semaphore("few", 2),
            Guarantee.LATCH, () -> locks.latch("loaded"));
    kinds.forEach(
        (promise, asked) -> {
          if (locks.guarantees().contains(promise)) {
            assertDoesNotThrow(asked, promise::name);
          } else {
            assertThrows(LockConfigurationException.class, asked, promise::name);
          }
        });
  }

  @Test
  @DisplayName("of every column that the page has, and of no other")
  void columns() throws IOException {
    assertEquals(
        Stream.of(Column.values()).map(column -> column.head).toList(),
        List.copyOf(table("| Promise |").keySet()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis-set", "redis-setnx", "redlock", "redisson"})
  @DisplayName("of which kinds there are, and of the setting that makes them fair")
  void kinds(String backend) throws IOException {
    Map<String, String> column = table("| Kind | For |").get("`" + backend + "`");
    Map<String, Guarantee> kinds =
        Map.of(
            "Read/write: `readWriteLock(name)`", Guarantee.SHARED,
            "Semaphore: `semaphore(name, permits)`", Guarantee.PERMITS,
            "Latch: `latch(name)`", Guarantee.LATCH);
    try (LockManager locks = open(backend, List.of())) {
      kinds.forEach(
          (row, promise) ->
              assertEquals(
                  locks.guarantees().contains(promise), column.get(row).startsWith("yes"), row));
    }
    String fair = column.get("Lock, [in the order of arrival](#in-the-order-of-arrival)");
    Matcher setting = SETTING.matcher(fair);
    assertTrue(setting.find(), fair);
    try (LockManager locks = open(backend, List.of(setting.group(1) + "=" + setting.group(2)))) {
      assertTrue(locks.guarantees().contains(Guarantee.FAIR));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lock.redlock.node-backend=redisson lock.redisson.mode=fair",
        "lock.redlock.node-backend=redis-setnx lock.redis-setnx.scheme=setnx-timestamp",
      })
  @DisplayName("of quorums that are refused at open")
  void refused(String settings) {
    assertThrows(
        LockConfigurationException.class,
        () -> open("redlock", List.of(settings.split(" "))).close());
  }
}
