package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.node.NodeCall;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which nodes may vote, and how split votes end. */
final class QuorumVoteRules extends QuorumSteps {
  private static final Duration LONGEST = TimeScale.seconds(3);
  private static final Duration LEASE = TimeScale.millis(1500);
  private static final Duration TOGETHER = TimeScale.millis(20);

  // ---- QU-6 ----

  @Rule(
      value = "QU-6",
      shows = "restarted without data",
      needs = {Need.SERVERS, Need.KILL})
  void restartedEmpty() {
    forgets(
        ServerOptions.defaults(),
        server ->
            () -> {
              server.kill();
              server.restart(Data.LOSE);
            });
  }

  @Rule(
      value = "QU-6",
      shows = "restarted without its last writes",
      needs = {Need.SERVERS, Need.KILL, Need.OPTIONS, Need.VIEW})
  void restartedWithoutTheLast() {
    forgets(
        ServerOptions.defaults().withAppendOnlyFile(),
        server ->
            () -> {
              // As if the last second had not been fsynced: only the lock is missing.
              try (ServerView view = backend().view(server.uri()).orElseThrow()) {
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
  void resynchronized() {
    forgets(
        ServerOptions.defaults(),
        server -> {
          RedisServer copy = closing(RedisServers.start());
          copy.replicaOf(server);
          awaitCopied(copy);
          copy.call("REPLICAOF", "NO", "ONE");
          return () -> {
            server.replicaOf(copy);
            awaitCopied(server);
            server.call("REPLICAOF", "NO", "ONE");
          };
        });
  }

  private static void awaitCopied(RedisServer replica) {
    Await.until(replica + " is in sync", LONGEST.multipliedBy(4), () -> isInSync(replica));
  }

  /**
   * The lock is held on a bare majority, and one of those nodes loses it: together with the nodes
   * that never had it, that node would form another majority.
   *
   * @param way how a server loses the lock, prepared before the lock is taken
   */
  private void forgets(ServerOptions options, Function<RedisServer, Runnable> way) {
    Site site = bench.ownSite(backend().longestLease(LONGEST), options);
    List<RedisServer> servers = servers(site);
    LockManager before = site.open();
    held(before, freshName(), LEASE, "all nodes up").release(); // nodes know the lock
    Runnable losing = way.apply(servers.get(0));
    LockManager holder = bareMajority(site).open();
    Lease lease = held(holder, name, LEASE, "a bare majority");
    losing.run();
    long forgotAt = System.nanoTime();
    LockManager stranger = site.open();
    while (lease.isValid()) {
      for (LockManager asking : List.of(stranger, before)) {
        boolean second = attempt(asking, name, LEASE).isPresent();
        Check.that(!second || !lease.isValid(), "there is one holder at a time");
      }
    }
    // With one node fewer, a majority needs its vote.
    servers.get(servers.size() / 2 + 1).kill();
    Await.until(
        "the node that forgot votes again",
        LONGEST.multipliedBy(4),
        () -> attempt(stranger, freshName(), LEASE).isPresent());
    Check.atLeast(
        LONGEST.minus(TimeScale.millis(300)),
        since(forgotAt),
        "how long the node that forgot did not vote");
  }

  // ---- QU-7 ----

  @Rule(value = "QU-7", shows = "each contender has one node", needs = Need.NODES)
  void splitVotes() {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      // Contenders that ask simultaneously are each first at one node.
      nodes.all().forEach(node -> node.gather(TOGETHER));
      List<LockManager> contenders = Stream.generate(() -> open(nodes)).limit(n).toList();
      contend(nodes, contenders); // warm-up
      contend(nodes, contenders);
      Set<String> first =
          nodes.all().stream().map(node -> firstAsked(node, name)).collect(Collectors.toSet());
      Check.equal(n, first.size(), "contenders that had one node each of " + n);
    }
  }

  private void contend(MemoryNodes nodes, List<LockManager> contenders) {
    nextName();
    nodes.all().forEach(MemoryNode::hang);
    List<CompletableFuture<Void>> turns =
        contenders.stream().map(contender -> turn(fixed(contender, name, LONG))).toList();
    Await.until(
        "all have asked all nodes",
        () -> nodes.all().stream().allMatch(node -> node.contenders(name) == contenders.size()));
    nodes.all().forEach(MemoryNode::up);
    turns.forEach(Await::value);
  }

  private static String firstAsked(MemoryNode node, String lockName) {
    return node.done().stream()
        .filter(call -> call.name().equals(lockName) && call.op() == Op.ACQUIRE)
        .map(NodeCall::token)
        .findFirst()
        .orElseThrow();
  }
}
