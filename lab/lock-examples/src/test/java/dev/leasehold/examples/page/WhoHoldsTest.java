package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.examples.page.OperationsPage.Command;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The page of operations tells who holds what, and how to free it, as a server has it")
class WhoHoldsTest {
  private static final Pattern TOKEN = Pattern.compile("\\bone:[\\w-]{22}");
  private static final Duration LONGER = Duration.ofSeconds(25);

  /** The blocks of commands, as the page has them one after another. */
  private static final int LH = 0;

  private static final int QUORUM = 1;
  private static final int REDISSON = 2;

  private static ServerGroup servers;

  /** Whose keys the page tells of. */
  enum Backend {
    REDIS_SET("redis-set", LH),
    REDIS_SET_FAIR("redis-set", LH, "lock.redis.fair", "true"),
    REDIS_SETNX("redis-setnx", LH),
    REDIS_SETNX_FAIR("redis-setnx", LH, "lock.redis.fair", "true"),
    QUORUM("redlock", WhoHoldsTest.QUORUM),
    QUORUM_FAIR("redlock", WhoHoldsTest.QUORUM, "lock.redis.fair", "true"),
    REDISSON("redisson", WhoHoldsTest.REDISSON),
    REDISSON_FAIR("redisson", WhoHoldsTest.REDISSON, "lock.redisson.mode", "fair");

    private final String id;
    private final int block;
    private final List<String> more;

    Backend(String id, int block, String... more) {
      this.id = id;
      this.block = block;
      this.more = List.of(more);
    }

    /** Those that the keys are on. */
    List<RedisServer> nodes() {
      return block == WhoHoldsTest.QUORUM ? servers.servers() : servers.servers().subList(0, 1);
    }

    LockManager open(String label) {
      String uris = nodes().stream().map(RedisServer::uri).collect(Collectors.joining(","));
      Map<String, String> all = new HashMap<>();
      all.put("lock.backend", id);
      all.put(block == WhoHoldsTest.QUORUM ? "lock.redlock.nodes" : "lock.redis.uri", uris);
      all.put("lock.label", label);
      all.put("lock.lease", "20s"); // one on Redisson's keys may be made no longer than 30 s
      for (int i = 0; i < more.size(); i += 2) {
        all.put(more.get(i), more.get(i + 1));
      }
      return LockManager.open(LockSettings.of(all));
    }

    /** What the page has people type for its keys. */
    List<Command> showing() throws Exception {
      List<List<Command>> blocks = OperationsPage.read().showing();
      assertEquals(3, blocks.size());
      List<Command> all = new ArrayList<>(blocks.get(block));
      if (block == WhoHoldsTest.QUORUM) {
        all.addAll(blocks.get(LH)); // each node has these keys
      }
      return all;
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

  private static String answer(RedisServer server, String... words) {
    return String.valueOf(server.call(words).orElse(""));
  }

  /** Holds by one, and waits by two, of every kind that there is. */
  private static List<CompletionStage<?>> everything(LockManager one, LockManager two)
      throws InterruptedException {
    one.lock("orders").acquire();
    List<CompletionStage<?>> waiting = new ArrayList<>();
    waiting.add(two.lock("orders").acquireAsync());
    if (one.guarantees().contains(Guarantee.SHARED)) {
      one.readWriteLock("page").write().acquire();
      one.readWriteLock("page").read().acquire();
      waiting.add(two.readWriteLock("page").write().acquireAsync());
    }
    if (one.guarantees().contains(Guarantee.PERMITS)) {
      one.semaphore("export", 2).acquire(2);
      waiting.add(two.semaphore("export", 2).acquireAsync(1));
    }
    if (one.guarantees().contains(Guarantee.LATCH)) {
      assertTrue(one.latch("loaded").open(2, Duration.ofHours(1)));
      waiting.add(two.latch("loaded").awaitAsync());
    }
    return waiting;
  }

  private static boolean isTold(Command command, String answer) {
    if (answer.isEmpty() || answer.equals("[]") || answer.equals("-2")) {
      return false;
    }
    boolean waiters = command.tells().contains("who waits");
    boolean holder = command.tells().contains("label");
    return (!waiters || answer.contains("two:")) && (!holder || answer.contains("one:"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Backend.class,
      names = {"REDIS_SET", "REDIS_SETNX", "REDISSON"})
  @DisplayName("Every command tells it, of every kind")
  void shown(Backend backend) throws Exception {
    try (LockManager one = backend.open("one");
        LockManager two = backend.open("two")) {
      List<CompletionStage<?>> waiting = everything(one, two);
      RedisServer server = backend.nodes().get(0);
      List<Command> commands = backend.showing();
      assertTrue(commands.size() > 5, commands::toString);
      for (Command each : commands) {
        Await.until(
            each + " tells it: " + answer(server, each.words()),
            () -> isTold(each, answer(server, each.words())));
      }
      waiting.forEach(stage -> stage.toCompletableFuture().cancel(false));
    }
  }

  @Test
  @DisplayName("A quorum's slots are told by each node")
  void slots() throws Exception {
    try (LockManager one = Backend.QUORUM.open("one");
        LockManager two = Backend.QUORUM.open("two")) {
      List<CompletionStage<?>> waiting = everything(one, two);
      for (RedisServer node : servers.servers()) {
        for (Command each : OperationsPage.read().showing().get(QUORUM)) {
          Await.until(each + " tells it", () -> isTold(each, answer(node, each.words())));
        }
      }
      waiting.forEach(stage -> stage.toCompletableFuture().cancel(false));
    }
  }

  @Test
  @DisplayName("Each kind is found by its own pattern, and the latch's time is 150 s more")
  void found() throws Exception {
    try (LockManager one = Backend.REDIS_SET.open("one");
        LockManager two = Backend.REDIS_SET.open("two")) {
      List<CompletionStage<?>> waiting = everything(one, two);
      RedisServer server = servers.servers().get(0);
      Map<String, String> names =
          Map.of(
              "",
              "orders",
              ":readers",
              "page",
              ":writer",
              "page",
              ":permits",
              "export",
              ":latch",
              "loaded");
      names.forEach(
          (suffix, name) ->
              assertEquals(
                  "[0, [lh:{" + name + "}" + suffix + "]]",
                  answer(server, "SCAN", "0", "MATCH", "lh:{*}" + suffix, "COUNT", "1000")));
      long latch = Long.parseLong(answer(server, "PTTL", "lh:{loaded}:latch"));
      assertTrue(latch > 3_600_000 && latch <= 3_750_000, () -> latch + " ms");
      waiting.forEach(stage -> stage.toCompletableFuture().cancel(false));
    }
  }

  @Test
  @DisplayName("Redisson's fair line, and the ends of sides on its keys")
  void redissons() throws Exception {
    String page = OperationsPage.read().text();
    RedisServer server = servers.servers().get(0);
    try (LockManager one = Backend.REDISSON_FAIR.open("one");
        LockManager two = Backend.REDISSON_FAIR.open("two")) {
      List<CompletionStage<?>> waiting = everything(one, two);
      String line = "LRANGE redisson_lock_queue:{orders} 0 -1";
      assertTrue(page.contains("`" + line + "`"));
      Await.until("it waits", () -> answer(server, line.split(" ")).contains("two:"));
      waiting.forEach(stage -> stage.toCompletableFuture().cancel(false));
    }
    try (LockManager one = Backend.REDISSON.open("one")) {
      String end = "PTTL {page}:label:secret:rwlock_timeout:1";
      assertTrue(page.contains("`" + end + "`, for a writer with `:write` behind the secret"));
      for (String side : List.of("", ":write")) {
        Lease lease =
            side.isEmpty()
                ? one.readWriteLock("page").read().acquire()
                : one.readWriteLock("page").write().acquire();
        Matcher token = TOKEN.matcher(answer(server, "HGETALL", "page"));
        assertTrue(token.find());
        String asked = end.replace("label:secret", token.group() + side);
        assertTrue(Long.parseLong(answer(server, asked.split(" "))) > 0, asked);
        lease.release();
      }
    }
  }

  /** Something of one's that two waits for. */
  private record Stuck(Optional<Lease> held, CompletableFuture<?> waiting) {
    static Stuck of(String what, LockManager one, LockManager two) throws InterruptedException {
      return switch (what) {
        case "A lock, fair or not" ->
            of(one.lock("orders").acquire(), two.lock("orders").acquireAsync());
        case "One reader", "All readers" ->
            of(
                one.readWriteLock("page").read().acquire(),
                two.readWriteLock("page").write().acquireAsync());
        case "The writer" ->
            of(
                one.readWriteLock("page").write().acquire(),
                two.readWriteLock("page").read().acquireAsync());
        case "A permit", "A permit of a quorum" ->
            of(one.semaphore("export", 1).acquire(), two.semaphore("export", 1).acquireAsync(1));
        case "A latch: who waits passes" -> {
          assertTrue(one.latch("loaded").open(1, Duration.ofHours(1)));
          yield new Stuck(Optional.empty(), two.latch("loaded").awaitAsync().toCompletableFuture());
        }
        default -> throw new IllegalStateException("the page has '" + what + "', which is new");
      };
    }

    private static Stuck of(Lease held, CompletionStage<Lease> waiting) {
      return new Stuck(Optional.of(held), waiting.toCompletableFuture());
    }
  }

  private static boolean isThere(String what, LockManager locks) {
    boolean quorum = locks.guarantees().contains(Guarantee.QUORUM);
    return switch (what) {
      case "A lock, fair or not" -> true;
      case "One reader", "All readers", "The writer" ->
          locks.guarantees().contains(Guarantee.SHARED);
      case "A permit" -> locks.guarantees().contains(Guarantee.PERMITS) && !quorum;
      case "A permit of a quorum" -> quorum;
      default -> locks.guarantees().contains(Guarantee.LATCH);
    };
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("What is freed by hand goes to who waits, and its holder is told")
  void freed(Backend backend) throws Exception {
    Map<String, Command> rows = OperationsPage.read().freeing(backend.block == REDISSON ? 1 : 0);
    assertTrue(rows.size() >= 6, rows::toString);
    try (LockManager one = backend.open("one");
        LockManager two = backend.open("two")) {
      for (Command row : rows.values()) {
        if (!isThere(row.tells(), one)) {
          continue;
        }
        if (row.tells().startsWith("A latch")) {
          spoilsNone(backend, row);
        }
        Stuck stuck = Stuck.of(row.tells(), one, two);
        String token = row.line().contains("label:secret") ? token(backend) : "";
        assertFalse(stuck.waiting().isDone());
        for (RedisServer node : backend.nodes()) {
          answer(node, row.of(token).words());
        }
        Object got = Await.value(stuck.waiting());
        if (stuck.held().isPresent()) {
          Lease lost = stuck.held().get();
          assertFalse(lost.extend(LONGER), row::toString);
          LeaseLoss loss = Await.value(lost.lost().toCompletableFuture());
          assertEquals(LeaseLoss.Reason.NOT_OWNER, loss.reason(), row::toString);
          assertThrows(LeaseLostException.class, lost::release);
          ((Lease) got).release();
        }
      }
    }
  }

  /** Typed for a name that nobody uses, it leaves nothing that who comes later stumbles over. */
  private static void spoilsNone(Backend backend, Command freeing) throws Exception {
    for (RedisServer node : backend.nodes()) {
      String before = answer(node, "KEYS", "*loaded*");
      answer(node, freeing.words());
      assertEquals(before, answer(node, "KEYS", "*loaded*"), freeing::toString);
    }
  }

  @Test
  @DisplayName("What is deleted on one node of a quorum alone, the holder takes back")
  void minority() throws Exception {
    RedisServer node = servers.servers().get(0);
    try (LockManager one = Backend.QUORUM.open("one")) {
      Lease lease = one.lock("orders").acquire();
      node.call("DEL", "lh:{orders}");
      assertTrue(lease.extend(LONGER));
      Await.until("it is back", () -> answer(node, "GET", "lh:{orders}").startsWith("one:"));
      lease.release();
    }
  }

  /**
   * Of the only one that holds something. Most nodes of a quorum have it at once; one that was late
   * has it when the lease is renewed, or still has the one before for a moment.
   */
  private static String token(Backend backend) {
    Set<Optional<String>> all = new HashSet<>();
    Await.until(
        "a command of the page tells who holds it, the same on all nodes",
        () -> {
          all.clear();
          for (RedisServer node : backend.nodes()) {
            all.add(told(backend, node));
          }
          return all.size() == 1 && !all.contains(Optional.<String>empty());
        });
    return all.iterator().next().orElseThrow();
  }

  private static Optional<String> told(Backend backend, RedisServer node) throws Exception {
    for (Command each : backend.showing()) {
      Matcher token = TOKEN.matcher(answer(node, each.words()));
      if (!each.tells().contains("who waits")
          && !each.line().startsWith("CLIENT")
          && token.find()) {
        return Optional.of(token.group());
      }
    }
    return Optional.empty();
  }
}
