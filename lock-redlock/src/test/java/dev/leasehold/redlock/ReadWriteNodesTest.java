package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.redis.set.RedisSetBackend;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.Ports;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Read/write locks on real servers, a minority of which fails")
class ReadWriteNodesTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final long SECOND = 1_000_000;

  private static final int MOST_ROUNDS = 20;

  private final List<RedisServer> servers = new ArrayList<>();

  /** Whose votes are asked for. */
  private String lock = "x";

  private void start(int count) {
    for (int i = 0; i < count; i++) {
      servers.add(RedisServers.start(ServerOptions.defaults()));
    }
    servers.forEach(NodeOperations::admit);
  }

  @AfterEach
  void stop() {
    servers.forEach(RedisServer::close);
  }

  private LockManager open() {
    return openOn(servers);
  }

  /** A manager that reaches these servers alone. */
  private LockManager openOn(List<RedisServer> reached) {
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.redlock.nodes",
                servers.stream()
                    .map(s -> reached.contains(s) ? s.uri() : "redis://127.0.0.1:" + Ports.free())
                    .collect(Collectors.joining(",")))));
  }

  private static DistributedReadWriteLock lock(LockManager locks) {
    return locks.readWriteLock("x", LockOptions.fixed(LONG));
  }

  private static long micros(RedisServer server) {
    List<?> time = (List<?>) server.call("TIME").orElseThrow();
    return Long.parseLong(time.get(0).toString()) * SECOND + Long.parseLong(time.get(1).toString());
  }

  @Test
  @DisplayName("A node's answers: a reader's vote follows the last writer's, and neither the next")
  void votes() {
    start(1);
    RedisServer server = servers.get(0);
    LockSettings settings = LockSettings.of(Map.of("lock.redis.uri", server.uri()));
    try (IdentifiedStore node = new RedisSetBackend().openNode(settings, LONG)) {
      QuorumNode reads = (QuorumNode) ((ReadWriteStore) node).reads();
      QuorumNode writes = (QuorumNode) ((ReadWriteStore) node).writes();
      for (int round = 0; ; round++) {
        lock = "x" + round;
        long proposal = micros(server) + SECOND * 9 / 10;
        try {
          votes(reads, writes, proposal);
          break;
        } catch (AssertionError e) {
          // If the clock has got there meanwhile, fences follow the clock.
          if (micros(server) < proposal || round == MOST_ROUNDS) {
            throw e;
          }
        }
      }
      long cut = vote(reads, "f", micros(server) + 60 * SECOND);
      assertTrue(cut <= micros(server) + SECOND, "ahead by " + (cut - micros(server)));
    }
  }

  private void votes(QuorumNode reads, QuorumNode writes, long proposal) {
    assertEquals(proposal, vote(writes, "w", proposal));
    Await.value(writes.release(key("w")));
    assertEquals(proposal + 1, vote(reads, "a", 0), "the number after the writer's");
    assertEquals(proposal + 7, vote(reads, "b", proposal + 7));
    assertEquals(proposal + 1, vote(reads, "c", 3), "readers may share one");
    assertEquals(RenewResult.RENEWED, Await.value(reads.raise(key("a"), proposal + 50, 0)));
    assertEquals(RenewResult.NOT_OWNER, Await.value(reads.raise(key("d"), proposal + 90, 0)));
    assertEquals(RenewResult.NOT_OWNER, Await.value(writes.raise(key("a"), proposal + 90, 0)));
    assertThrows(LockStoreException.class, () -> Await.value(reads.raise(key("a"), 1L << 53, 0)));
    for (String reader : List.of("a", "b", "c")) {
      Await.value(reads.release(key(reader)));
    }
    assertEquals(proposal + 51, vote(writes, "v", 0), "the one after what was kept for readers");
    assertEquals(RenewResult.RENEWED, Await.value(writes.raise(key("v"), proposal + 60, 5)));
    Await.value(writes.release(key("v")));
    assertEquals(proposal + 66, vote(reads, "e", 0), "the one after the writer's run");
  }

  private LeaseKey key(String secret) {
    return new LeaseKey(lock, "t:" + secret);
  }

  private long vote(QuorumNode side, String secret, long proposal) {
    AcquireRequest request = new AcquireRequest(key(secret), LONG, IfHeld.REFUSE);
    return assertInstanceOf(Granted.class, Await.value(side.vote(request, proposal)))
        .fence()
        .orElseThrow();
  }

  @Test
  @DisplayName("One is dead: readers and writers exclude each other on the others")
  void oneIsDead() {
    start(3);
    try (LockManager one = open();
        LockManager other = openOn(servers.subList(1, 3))) {
      assertTrue(one.guarantees().containsAll(List.of(Guarantee.SHARED, Guarantee.WRITERS_TURN)));
      servers.get(0).kill();
      Lease read = lock(one).read().tryAcquire().orElseThrow();
      Lease beside = lock(other).read().tryAcquire().orElseThrow();
      CompletableFuture<Lease> waits = lock(other).write().acquireAsync().toCompletableFuture();
      assertTrue(lock(one).write().as(LockOwner.unique("x")).tryAcquire().isEmpty());
      read.release();
      beside.release();
      Lease write = Await.value(waits);
      assertTrue(write.fencingToken() > read.fencingToken());
      assertTrue(write.fencingToken() > beside.fencingToken());
      assertTrue(lock(one).read().tryAcquire().isEmpty());
      write.release();
      Lease next = lock(one).read().tryAcquire().orElseThrow();
      assertTrue(next.fencingToken() > write.fencingToken());
      next.release();
    }
  }

  @ParameterizedTest(name = "admitted at once: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("A node that was started again without data does not let a writer in")
  void restartedEmpty(boolean admitted) throws InterruptedException {
    start(3);
    try (LockManager one = openOn(servers.subList(0, 2));
        LockManager other = open()) {
      Lease read = lock(one).read().tryAcquire().orElseThrow();
      servers.get(1).kill();
      servers.get(1).restart(Data.LOSE);
      if (admitted) { // the twin: then it would be the second of a majority
        NodeOperations.admit(servers.get(1));
        Lease write = lock(other).write().tryAcquire(WAIT).orElseThrow();
        assertTrue(read.isValid() && write.isValid());
        write.releaseAsync();
      } else {
        for (int i = 0; i < 3; i++) {
          assertFalse(isGranted(lock(other)), "a writer beside a reader");
        }
        assertTrue(read.isValid());
      }
      read.releaseAsync(); // or to close would wait for it
    }
  }

  private static boolean isGranted(DistributedReadWriteLock lock) {
    try {
      return lock.write().tryAcquire().isPresent();
    } catch (LockStoreException noQuorum) {
      return false;
    }
  }

  @Test
  @DisplayName("A reader's token drawn by few nodes is still stored by a majority")
  void writesBack() {
    start(3);
    Lease read;
    try (LockManager one = openOn(servers.subList(0, 2))) {
      // Opening takes longer than this on a busy machine.
      String ahead = Long.toString(micros(servers.get(0)) + SECOND * 3 / 4);
      servers.get(0).call("HSET", "lh:{x}:rw:fences", "fence", ahead, "wfence", ahead);
      read = lock(one).read().tryAcquire().orElseThrow();
      assertTrue(read.fencingToken() > Long.parseLong(ahead), "one node's alone");
      read.release();
    }
    try (LockManager other = openOn(servers.subList(1, 3))) {
      Lease write = lock(other).write().tryAcquire().orElseThrow();
      assertTrue(
          write.fencingToken() > read.fencingToken(),
          write.fencingToken() + " after " + read.fencingToken());
      write.release();
    }
  }

  @Test
  @DisplayName("A writer whose first vote was split reads beside itself")
  void besideAnotherToken() throws InterruptedException {
    start(3);
    List<LockManager> singles = new ArrayList<>();
    List<Lease> inTheWay = new ArrayList<>();
    try (LockManager locks = open()) {
      for (RedisServer server : servers.subList(0, 2)) {
        LockManager single =
            LockManager.open(
                LockSettings.of(
                    Map.of("lock.backend", "redis-set", "lock.redis.uri", server.uri())));
        singles.add(single);
        inTheWay.add(lock(single).read().tryAcquire().orElseThrow());
      }
      DistributedReadWriteLock mine = lock(locks).as(LockOwner.unique("me"));
      CompletableFuture<Lease> asked = mine.write().acquireAsync().toCompletableFuture();
      Await.until(
          "it waits", () -> servers.get(0).call("ZCARD", "lh:{x}:rw:wait").equals(Optional.of(1L)));
      inTheWay.forEach(Lease::release);
      Lease write = Await.value(asked);
      Lease read = mine.read().tryAcquire().orElseThrow();
      write.release();
      assertTrue(isNotGranted(locks), "the reader is left");
      read.release();
      lock(locks).write().tryAcquire(WAIT).orElseThrow().release();
    } finally {
      singles.forEach(LockManager::close);
    }
  }

  private static boolean isNotGranted(LockManager locks) {
    return lock(locks).write().tryAcquire().isEmpty();
  }

  @Test
  @DisplayName("Nodes without read/write locks: refused at once, with those that have them")
  void nodesWithout() {
    start(3);
    try (LockManager plain =
        LockManager.open(
            LockSettings.of(
                Map.of(
                    "lock.redlock.nodes",
                    servers.stream().map(RedisServer::uri).collect(Collectors.joining(",")),
                    "lock.redis-set.mode",
                    "plain")))) {
      assertFalse(plain.guarantees().contains(Guarantee.SHARED));
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> plain.readWriteLock("x"));
      assertTrue(e.getMessage().contains("redlock on nodes of these"), e.getMessage());
    }
  }
}
