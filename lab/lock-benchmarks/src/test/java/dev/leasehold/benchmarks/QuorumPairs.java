package dev.leasehold.benchmarks;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A lock on several independent servers: the time per pair, on one thread. */
final class QuorumPairs {
  private static final long TTL = 30_000;

  private QuorumPairs() {}

  static void run(Effort effort, Figures figures) throws Exception {
    for (int nodes : effort == Effort.BRIEF ? new int[] {3} : new int[] {3, 5, 7}) {
      try (ServerGroup servers =
          ServerGroup.start(nodes, ServerOptions.defaults(), QuorumPairs::mayVote)) {
        List<String> uris = servers.servers().stream().map(RedisServer::uri).toList();
        run(uris, effort, figures);
      }
    }
  }

  /** Declares that no lock was held on a server before: it votes at once. */
  private static void mayVote(RedisServer server) {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
  }

  private static void run(List<String> uris, Effort effort, Figures figures) throws Exception {
    Map<String, String> quorum = Map.of("lock.redlock.nodes", String.join(",", uris));
    try (Subject raw = raw(uris);
        Subject ours = LockSubjects.leasehold("redlock", uris.get(0), quorum);
        Subject theirs = redisson(uris)) {
      List<Subject> all = List.of(raw, ours, theirs);
      List<Double> ns = new Alternation(effort.withFewerPairs(2)).latencies(all);
      String condition = uris.size() + " nodes, one thread, uncontended, median time of a pair";
      for (int i = 0; i < all.size(); i++) {
        figures.point(Picture.NODES, all.get(i).name(), uris.size(), ns.get(i) / 1e3);
      }
      figures.ratio("quorum redlock:raw-majority", ns.get(1) / ns.get(0), "<=1.25", condition);
      figures.ratio("quorum redlock:RedLock", ns.get(1) / ns.get(2), "<=0.25", condition);
    }
  }

  /**
   * {@code SET NX PX} on all servers at once until a majority has it, then a compare-and-delete
   * likewise: no fencing token, no deadline, no renewal.
   */
  private static Subject raw(List<String> uris) {
    List<RedisClient> clients = uris.stream().map(RedisClient::create).toList();
    List<StatefulRedisConnection<String, String>> connections =
        clients.stream().map(RedisClient::connect).toList();
    List<RedisAsyncCommands<String, String>> all =
        connections.stream().map(StatefulRedisConnection::async).toList();
    String sha = "";
    for (StatefulRedisConnection<String, String> connection : connections) {
      sha = connection.sync().scriptLoad(RawSubjects.DELETE);
    }
    String delete = sha;
    return new Subject() {
      @Override
      public String name() {
        return "raw-majority";
      }

      @Override
      public Pair on(String key) {
        String[] keys = {key};
        SetArgs free = SetArgs.Builder.nx().px(TTL);
        return () -> {
          String token = UUID.randomUUID().toString();
          majority(all, redis -> redis.set(key, token, free)).join();
          majority(all, redis -> redis.evalsha(delete, ScriptOutputType.INTEGER, keys, token))
              .join();
        };
      }

      @Override
      public void close() {
        connections.forEach(StatefulRedisConnection::close);
        clients.forEach(RedisClient::shutdown);
      }
    };
  }

  /** Completes when a majority has answered. */
  private static <N> CompletableFuture<Void> majority(
      List<N> nodes, Function<N, CompletionStage<?>> call) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    AtomicInteger missing = new AtomicInteger(nodes.size() / 2 + 1);
    for (N node : nodes) {
      call.apply(node)
          .thenRun(
              () -> {
                if (missing.decrementAndGet() == 0) {
                  done.complete(null);
                }
              });
    }
    return done;
  }

  private static Subject redisson(List<String> uris) {
    List<RedissonClient> clients =
        uris.stream()
            .map(
                uri -> {
                  Config config = new Config();
                  config.useSingleServer().setAddress(uri);
                  return Redisson.create(config);
                })
            .toList();
    return new Subject() {
      @Override
      public String name() {
        return "RedLock";
      }

      @Override
      @SuppressWarnings("deprecation") // what users of a quorum have there
      public Pair on(String key) {
        RLock lock =
            new RedissonRedLock(
                clients.stream()
                    .map(client -> client.getLock("rlock-" + key))
                    .toArray(RLock[]::new));
        return () -> {
          lock.lock();
          lock.unlock();
        };
      }

      @Override
      public void close() {
        clients.forEach(RedissonClient::shutdown);
      }
    };
  }
}
