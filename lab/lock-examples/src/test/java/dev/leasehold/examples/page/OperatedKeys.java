package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.examples.page.OperationsPage.Command;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Servers with keys of every backend that the page of operations covers. */
abstract class OperatedKeys {
  static final Pattern TOKEN = Pattern.compile("\\bone:[\\w-]{22}");
  static final Duration LONGER = Duration.ofSeconds(25);

  /** The blocks of commands, in the order of the page. */
  static final int LH = 0;

  static final int QUORUM = 1;
  static final int REDISSON = 2;

  static ServerGroup servers;

  /** The backends whose keys the page shows. */
  enum Backend {
    REDIS_SET("redis-set", LH),
    REDIS_SET_FAIR("redis-set", LH, "lock.redis.fair", "true"),
    REDIS_SETNX("redis-setnx", LH),
    REDIS_SETNX_FAIR("redis-setnx", LH, "lock.redis.fair", "true"),
    QUORUM("redlock", OperatedKeys.QUORUM),
    QUORUM_FAIR("redlock", OperatedKeys.QUORUM, "lock.redis.fair", "true"),
    REDISSON("redisson", OperatedKeys.REDISSON),
    REDISSON_FAIR("redisson", OperatedKeys.REDISSON, "lock.redisson.mode", "fair");

    private final String id;
    private final int block;
    private final List<String> more;

    Backend(String id, int block, String... more) {
      this.id = id;
      this.block = block;
      this.more = List.of(more);
    }

    int block() {
      return block;
    }

    /** The servers that have the keys. */
    List<RedisServer> nodes() {
      return block == OperatedKeys.QUORUM ? servers.servers() : servers.servers().subList(0, 1);
    }

    LockManager open(String label) {
      String uris = nodes().stream().map(RedisServer::uri).collect(Collectors.joining(","));
      Map<String, String> all = new HashMap<>();
      all.put("lock.backend", id);
      all.put(block == OperatedKeys.QUORUM ? "lock.redlock.nodes" : "lock.redis.uri", uris);
      all.put("lock.label", label);
      all.put("lock.lease", "20s"); // on Redisson's keys a lease can only be extended to 30 s
      for (int i = 0; i < more.size(); i += 2) {
        all.put(more.get(i), more.get(i + 1));
      }
      return LockManager.open(LockSettings.of(all));
    }

    /** The commands that the page gives for its keys. */
    List<Command> showing() throws Exception {
      List<List<Command>> blocks = OperationsPage.read().showing();
      assertEquals(3, blocks.size());
      List<Command> all = new ArrayList<>(blocks.get(block));
      if (block == OperatedKeys.QUORUM) {
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

  static String answer(RedisServer server, String... words) {
    return String.valueOf(server.call(words).orElse(""));
  }

  /**
   * The token of the only holder. Most nodes of a quorum have it at once; a late node has it after
   * the next renewal, or still has the previous one for a moment.
   */
  static String token(Backend backend) {
    Set<Optional<String>> all = new HashSet<>();
    Await.until(
        "a command of the page shows the holder, the same on all nodes",
        () -> {
          all.clear();
          for (RedisServer node : backend.nodes()) {
            all.add(told(backend, node));
          }
          return all.size() == 1 && !all.contains(Optional.<String>empty());
        });
    return all.iterator().next().orElseThrow();
  }

  static Optional<String> told(Backend backend, RedisServer node) throws Exception {
    for (Command each : backend.showing()) {
      Matcher token = TOKEN.matcher(each.answer(node));
      if (!each.tells().contains("waiters") && !each.line().startsWith("CLIENT") && token.find()) {
        return Optional.of(token.group());
      }
    }
    return Optional.empty();
  }
}
