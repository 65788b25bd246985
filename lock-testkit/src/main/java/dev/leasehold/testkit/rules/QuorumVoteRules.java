package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.QuorumTries.attempt;
import static dev.leasehold.testkit.rules.QuorumTries.held;
import static dev.leasehold.testkit.rules.QuorumTries.nodes;
import static dev.leasehold.testkit.rules.QuorumTries.open;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.node.NodeCall;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which nodes may vote, and how split votes end. */
final class QuorumVoteRules {
  private static final Duration LONGEST = TimeScale.seconds(3);
  private static final Duration LEASE = TimeScale.millis(1500);
  private static final Duration SLACK = TimeScale.millis(300);
  private static final Duration TOGETHER = TimeScale.millis(20);
  private static final int[] SIZES = {3, 5};

  // ---- QU-6 ----

  @Rule(
      value = "QU-6",
      shows = "restarted without data",
      needs = {Need.SERVERS, Need.KILL})
  void restartedEmpty(Bench bench) {
    forgets(
        bench,
        ServerOptions.defaults(),
        server ->
            name -> {
              server.kill();
              server.restart(Data.LOSE);
            });
  }

  @Rule(
      value = "QU-6",
      shows = "restarted without its last writes",
      needs = {Need.SERVERS, Need.KILL, Need.OPTIONS, Need.VIEW})
  void restartedWithoutTheLast(Bench bench) {
    forgets(
        bench,
        ServerOptions.defaults().withAppendOnlyFile(),
        server ->
            name -> {
              // As if the last second had not been fsynced: only the lock is missing.
              try (ServerView view = bench.site().backend().view(server.uri()).orElseThrow()) {
                view.remove(name);
              }
              server.kill();
              server.restart(Data.KEEP);
            });
  }

  /** The server keeps running, but its data was replaced by an older copy from a replica. */
  @Rule(
      value = "QU-6",
      shows = "rolled back to a replica's data",
      needs = {Need.SERVERS, Need.KILL, Need.OPTIONS})
  void resynchronized(Bench bench) {
    forgets(
        bench,
        ServerOptions.defaults(),
        server -> {
          RedisServer copy = bench.closing(RedisServers.start());
          copy.replicaOf(server);
          awaitCopied(copy);
          copy.call("REPLICAOF", "NO", "ONE");
          return name -> {
            server.replicaOf(copy);
            awaitCopied(server);
            server.call("REPLICAOF", "NO", "ONE");
          };
        });
  }

  private static void awaitCopied(RedisServer replica) {
    Await.until(
        replica + " is in sync",
        LONGEST.multipliedBy(4),
        () -> {
          try (RespConnection connection = replica.connect()) {
            return connection.text("INFO", "replication").contains("master_link_status:up");
          }
        });
  }

  private interface Losing {
    void befalls(String lockName);
  }

  /**
   * The lock is held on a bare majority, and one of those nodes loses it: together with the nodes
   * that never had it, that node would form another majority.
   *
   * @param way how a server loses the lock, prepared before the lock is taken
   */
  private static void forgets(
      Bench bench, ServerOptions options, Function<RedisServer, Losing> way) {
    Site site = bench.ownSite(bench.site().backend().longestLease(LONGEST), options);
    List<RedisServer> servers = ((ServerGroup) site.redis()).servers();
    int majority = servers.size() / 2 + 1;
    LockManager before = site.open();
    held(bench, before, bench.name(), LEASE, "all nodes up").release(); // nodes know the lock
    Losing losing = way.apply(servers.get(0));
    String name = bench.name();
    List<String> addresses = new ArrayList<>();
    List<RespProxy> cut = new ArrayList<>();
    for (RedisServer server : servers.subList(0, majority)) {
      addresses.add(server.uri());
    }
    for (RedisServer server : servers.subList(majority, servers.size())) {
      RespProxy proxy = bench.closing(RespProxy.inFrontOf(server));
      cut.add(proxy);
      addresses.add(proxy.uri());
    }
    cut.forEach(RespProxy::close);
    LockManager holder = site.by(String.join(",", addresses)).open();
    Lease lease = held(bench, holder, name, LEASE, "a bare majority");
    losing.befalls(name);
    long forgotAt = System.nanoTime();
    LockManager stranger = site.open();
    while (lease.isValid()) {
      for (LockManager asking : List.of(stranger, before)) {
        boolean second = attempt(bench, asking, name, LEASE).isPresent();
        Check.that(!second || !lease.isValid(), "there is one holder at a time");
      }
    }
    // With one node fewer, a majority needs its vote.
    servers.get(majority).kill();
    Await.until(
        "the node that forgot votes again",
        LONGEST.multipliedBy(4),
        () -> attempt(bench, stranger, bench.name(), LEASE).isPresent());
    Duration waited = Duration.ofNanos(System.nanoTime() - forgotAt);
    Check.atLeast(LONGEST.minus(SLACK), waited, "how long the node that forgot did not vote");
  }

  // ---- QU-7 ----

  @Rule(value = "QU-7", shows = "each contender has one node", needs = Need.NODES)
  void splitVotes(Bench bench) {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(bench, n);
      // Contenders that ask simultaneously are each first at one node.
      nodes.all().forEach(node -> node.gather(TOGETHER));
      List<LockManager> contenders = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        contenders.add(open(bench, nodes));
      }
      contend(bench, nodes, contenders, bench.name()); // warm-up
      String name = bench.name();
      contend(bench, nodes, contenders, name);
      Set<String> first =
          nodes.all().stream().map(node -> firstAsked(node, name)).collect(Collectors.toSet());
      Check.equal(n, first.size(), "contenders that had one node each of " + n);
    }
  }

  private static void contend(
      Bench bench, MemoryNodes nodes, List<LockManager> contenders, String name) {
    nodes.all().forEach(MemoryNode::hang);
    List<CompletableFuture<Void>> turns = new ArrayList<>();
    for (LockManager contender : contenders) {
      turns.add(
          bench
              .fixed(contender, name, TimeScale.seconds(30))
              .acquireAsync()
              .thenCompose(Lease::releaseAsync)
              .toCompletableFuture());
    }
    Await.until(
        "all have asked all nodes",
        () -> nodes.all().stream().allMatch(node -> node.contenders(name) == contenders.size()));
    nodes.all().forEach(MemoryNode::up);
    turns.forEach(Await::value);
  }

  private static String firstAsked(MemoryNode node, String name) {
    return node.done().stream()
        .filter(call -> call.name().equals(name) && call.op() == Op.ACQUIRE)
        .map(NodeCall::token)
        .findFirst()
        .orElseThrow();
  }
}
