package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.QuorumTries.asks;
import static dev.leasehold.testkit.rules.QuorumTries.nodes;
import static dev.leasehold.testkit.rules.QuorumTries.open;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Read/write locks with failing nodes. */
final class QuorumReadWriteRules {
  private static final int NODES = 3;

  /** Longer than the rule takes, and than any lease here. */
  private static final Duration LONGEST = TimeScale.seconds(30);

  private static final int TRIES = 3;

  /** A single attempt. A quorum may refuse by an exception, when the outcome is unknown. */
  private static boolean isGranted(DistributedLock side) {
    try {
      return side.tryAcquire().filter(Lease::isValid).isPresent();
    } catch (LockException noQuorum) {
      return false;
    }
  }

  @Rule(value = "RW-7", shows = "a node that forgot", needs = Need.NODES)
  void forgets(Bench bench) throws InterruptedException {
    MemoryNodes nodes = nodes(bench, NODES);
    LockManager one = open(bench, nodes);
    LockManager other = open(bench, nodes);
    String name = bench.name();
    for (MemoryNode node : nodes.all()) {
      Lease read = onAll(nodes, name, ReadWrites.of(one, name).read());
      node.forget();
      Check.that(
          !isGranted(ReadWrites.of(other, name).write()), "no writer where " + node + " forgot");
      read.release();
      Lease write = onAll(nodes, name, ReadWrites.of(one, name).write());
      node.forget();
      Check.that(
          !isGranted(ReadWrites.of(other, name).read()), "no reader where " + node + " forgot");
      write.release();
    }
  }

  /** A lease held on every node, including the last one asked; a majority is enough to win. */
  private static Lease onAll(MemoryNodes nodes, String name, DistributedLock side)
      throws InterruptedException {
    List<Long> before = nodes.all().stream().map(node -> asks(node, name)).toList();
    Lease lease = side.tryAcquire(ReadWrites.SLACK).orElseThrow();
    Await.until(
        "all nodes have answered",
        () ->
            nodes.all().stream()
                .allMatch(
                    node -> node.waiting() == 0 && asks(node, name) > before.get(node.number())));
    return lease;
  }

  @Rule(value = "RW-7", shows = "a node that was away", needs = Need.NODES)
  void wasAway(Bench bench) throws InterruptedException {
    MemoryNodes nodes = nodes(bench, NODES);
    LockManager one = open(bench, nodes);
    LockManager other = open(bench, nodes);
    String name = bench.name();
    for (MemoryNode node : nodes.all()) {
      node.die();
      Lease read = ReadWrites.of(one, name).read().tryAcquire().orElseThrow();
      Lease beside = ReadWrites.of(other, name).read().tryAcquire().orElseThrow();
      node.up();
      read.release();
      Check.that(!isGranted(ReadWrites.of(one, name).write()), "no writer beside the second");
      beside.release();
      Check.that(
          ReadWrites.of(one, name).write().tryAcquire(ReadWrites.SLACK).isPresent(),
          "a writer after both, where " + node + " was away");
      name = bench.name();
    }
  }

  // Catches readers whose largest vote was recorded by too few nodes: votes 1 and 6 give 6, and the
  // next writer, which does not reach the second node, gets 2.
  @Rule(
      value = "RW-7",
      shows = "tokens by votes that differ",
      also = Guarantee.FENCING,
      needs = Need.NODES)
  void tokens(Bench bench) {
    MemoryNodes nodes = nodes(bench, NODES);
    String name = bench.name();
    LeaseStore ahead = ((ReadWriteStore) nodes.get(0).client()).writes();
    for (int i = 0; i < 5; i++) {
      LeaseKey key = bench.key(name);
      Await.value(ahead.acquire(new AcquireRequest(key, ReadWrites.LONG, IfHeld.REFUSE)));
      Await.value(ahead.release(key));
    }
    nodes.get(2).die();
    Lease read = ReadWrites.of(open(bench, nodes), name).read().tryAcquire().orElseThrow();
    read.release();
    nodes.get(0).die();
    nodes.get(2).up();
    Lease write = ReadWrites.of(open(bench, nodes), name).write().tryAcquire().orElseThrow();
    Check.that(
        write.fencingToken() > read.fencingToken(),
        "a writer's is larger than the last reader's: "
            + read.fencingToken()
            + ", "
            + write.fencingToken());
  }

  @Rule(
      value = "RW-7",
      shows = "a server restarted without data",
      needs = {Need.SERVERS, Need.KILL})
  void restartedEmpty(Bench bench) {
    Site site =
        bench.ownSite(bench.site().backend().longestLease(LONGEST), ServerOptions.defaults());
    List<RedisServer> servers = ((ServerGroup) site.redis()).servers();
    int majority = servers.size() / 2 + 1;
    List<RespProxy> cut =
        servers.stream().skip(majority).map(s -> bench.closing(RespProxy.inFrontOf(s))).toList();
    cut.forEach(RespProxy::close);
    String few =
        Stream.concat(
                servers.stream().limit(majority).map(RedisServer::uri),
                cut.stream().map(RespProxy::uri))
            .collect(Collectors.joining(","));
    String name = bench.name();
    Lease read = ReadWrites.of(site.by(few).open(), name).read().tryAcquire().orElseThrow();
    servers.get(0).kill();
    servers.get(0).restart(Data.LOSE);
    LockManager stranger = site.open();
    for (int i = 0; i < TRIES; i++) {
      boolean second = isGranted(ReadWrites.of(stranger, name).write());
      Check.that(!second || !read.isValid(), "no writer beside the reader");
    }
  }
}
