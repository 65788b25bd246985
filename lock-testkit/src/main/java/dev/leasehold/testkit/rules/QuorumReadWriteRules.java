package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.ServerOptions;
import java.util.List;

/** Read/write locks with failing nodes. */
final class QuorumReadWriteRules extends QuorumSteps {

  private static final int TRIES = 3;

  @Rule(value = "RW-7", shows = "a node that forgot", needs = Need.NODES)
  void forgets() throws InterruptedException {
    MemoryNodes nodes = nodes(3);
    LockManager one = open(nodes);
    LockManager other = open(nodes);
    for (MemoryNode node : nodes.all()) {
      Lease read = onAll(nodes, sides(one).read());
      node.forget();
      Check.that(
          !isGranted(sides(other).write()::tryAcquire), "no writer where " + node + " forgot");
      read.release();
      Lease write = onAll(nodes, sides(one).write());
      node.forget();
      Check.that(
          !isGranted(sides(other).read()::tryAcquire), "no reader where " + node + " forgot");
      write.release();
    }
  }

  /** A lease held on every node, including the last one asked; a majority is enough to win. */
  private Lease onAll(MemoryNodes nodes, DistributedLock side) throws InterruptedException {
    List<Long> before = nodes.all().stream().map(node -> asks(node, name)).toList();
    Lease lease = side.tryAcquire(SLACK).orElseThrow();
    Await.until(
        "all nodes have answered",
        () ->
            nodes.all().stream()
                .allMatch(
                    node -> node.waiting() == 0 && asks(node, name) > before.get(node.number())));
    return lease;
  }

  @Rule(value = "RW-7", shows = "a node that was away", needs = Need.NODES)
  void wasAway() throws InterruptedException {
    MemoryNodes nodes = nodes(3);
    LockManager one = open(nodes);
    LockManager other = open(nodes);
    for (MemoryNode node : nodes.all()) {
      nextName();
      node.die();
      Lease read = sides(one).read().tryAcquire().orElseThrow();
      Lease beside = sides(other).read().tryAcquire().orElseThrow();
      node.up();
      read.release();
      Check.that(!isGranted(sides(one).write()::tryAcquire), "no writer beside the second");
      beside.release();
      Check.that(
          sides(one).write().tryAcquire(SLACK).isPresent(),
          "a writer after both, where " + node + " was away");
    }
  }

  // Catches readers whose largest vote was recorded by too few nodes: votes 1 and 6 give 6, and the
  // next writer, which does not reach the second node, gets 2.
  @Rule(
      value = "RW-7",
      shows = "tokens by votes that differ",
      also = Guarantee.FENCING,
      needs = Need.NODES)
  void tokens() {
    MemoryNodes nodes = nodes(3);
    LeaseStore ahead = ReadWriteSteps.writes(nodes.get(0).client());
    for (int i = 0; i < 5; i++) {
      LeaseKey key = key(name);
      hold(ahead, key, LONG);
      Await.value(ahead.release(key));
    }
    nodes.get(2).die();
    Lease read = sides(open(nodes)).read().tryAcquire().orElseThrow();
    read.release();
    nodes.get(0).die();
    nodes.get(2).up();
    long write = sides(open(nodes)).write().tryAcquire().orElseThrow().fencingToken();
    Check.that(
        write > read.fencingToken(),
        "a writer's is larger than the last reader's: " + read.fencingToken() + ", " + write);
  }

  @Rule(
      value = "RW-7",
      shows = "a server restarted without data",
      needs = {Need.SERVERS, Need.KILL})
  void restartedEmpty() throws InterruptedException {
    Site site = bench.ownSite(backend().longestLease(LONG), ServerOptions.defaults());
    Lease read = sides(bareMajority(site).open()).read().tryAcquire().orElseThrow();
    RedisServer forgetful = servers(site).get(0);
    forgetful.kill();
    forgetful.restart(Data.LOSE);
    LockManager stranger = site.open();
    for (int i = 0; i < TRIES; i++) {
      boolean second = isGranted(sides(stranger).write()::tryAcquire);
      Check.that(!second || !read.isValid(), "no writer beside the reader");
    }
  }

  private DistributedReadWriteLock sides(LockManager manager) {
    return manager.readWriteLock(name, LockOptions.fixed(LONG));
  }
}
