package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.redis.set.RedisSetBackend;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The answers of a redis-set server as a node")
class NodeVoteTest {
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Optional<Object> ONE = Optional.of(1L);
  private static final long SECOND = 1_000_000;

  private final RedisServer server = RedisServers.start();
  private QuorumNode node;

  @BeforeEach
  void start() {
    node = (QuorumNode) new RedisSetBackend().openNode(settings(), LONGEST);
    NodeOperations.admit(server);
  }

  @AfterEach
  void stop() {
    node.close();
    server.close();
  }

  private LockSettings settings() {
    return LockSettings.of(Map.of("lock.redis.uri", server.uri()));
  }

  private long vote(String token, long proposal) {
    return vote(node, token, proposal);
  }

  private static long vote(QuorumNode node, String token, long proposal) {
    return vote(node, token, proposal, SHORTEST);
  }

  private static long vote(QuorumNode node, String token, long proposal, Duration lease) {
    AcquireRequest request = new AcquireRequest(new LeaseKey("l", token), lease, IfHeld.REFUSE);
    return assertInstanceOf(Granted.class, Await.value(node.vote(request, proposal)))
        .fence()
        .orElseThrow();
  }

  private long micros() {
    List<?> time = (List<?>) server.call("TIME").orElseThrow();
    return Long.parseLong(time.get(0).toString()) * SECOND + Long.parseLong(time.get(1).toString());
  }

  @Test
  @DisplayName(
      "A proposal is taken over if it is larger; one that is far ahead of the clock is cut")
  void proposals() {
    long proposal;
    List<Long> fences;
    do { // if the clock has got there meanwhile, fences follow the clock
      Await.value(node.release(new LeaseKey("l", "a:1")));
      proposal = micros() + SECOND * 9 / 10;
      fences =
          List.of(
              vote(node, "a:1", proposal, LONGEST),
              vote(node, "a:1", 1, LONGEST),
              vote(node, "a:1", proposal + 5, LONGEST));
    } while (micros() >= proposal);
    assertEquals(List.of(proposal, proposal, proposal + 5), fences);
    long cut = vote(node, "a:1", micros() + 60 * SECOND, LONGEST);
    assertTrue(cut <= micros() + SECOND, "ahead by " + (cut - micros()));
    Await.value(node.release(new LeaseKey("l", "a:1")));
    long next = vote(node, "b:1", micros() + 60 * SECOND, LONGEST);
    assertTrue(next > cut && next <= micros() + SECOND, "ahead by " + (next - micros()));
  }

  @Test
  @DisplayName("A fence is raised to no number that is none, nor is one that is none raised")
  void raises() {
    long fence = vote(node, "a:1", 0, LONGEST); // no client raises for a lease that has ended
    LeaseKey lease = new LeaseKey("l", "a:1");
    for (long none : new long[] {1L << 53, Long.MAX_VALUE}) {
      assertThrows(LockStoreException.class, () -> Await.value(node.raise(lease, none, 0)));
    }
    assertEquals(Optional.of(Long.toString(fence)), server.call("GET", "lh:{l}:fence"));
    server.call("SET", "lh:{l}:fence", "nan");
    assertThrows(LockStoreException.class, () -> Await.value(node.raise(lease, fence + 1, 0)));
  }

  /**
   * Fences may lead a node's clock by a second. Of a node that forgot them the next is its clock's
   * time: it must have caught up, however short leases are.
   */
  @Test
  @DisplayName("A node that lost its fences stays out until its clock is beyond them")
  void lostFences() {
    QuorumNode brief = (QuorumNode) new RedisSetBackend().openNode(settings(), SHORTEST);
    try {
      NodeOperations.admit(server);
      long before = vote(brief, "a:1", micros() + 60 * SECOND);
      server.call("FLUSHALL");
      long[] after = new long[1];
      Await.until(
          "it votes again",
          () -> {
            try {
              after[0] = vote(brief, "b:1", 0);
              return true;
            } catch (LockStoreException quarantined) {
              return false;
            }
          });
      assertTrue(after[0] > before, "a smaller fence, by " + (before - after[0]) + " µs");
      assertTrue(after[0] > before + SECOND / 2, "clocks differ, too");
    } finally {
      brief.close();
    }
  }

  @Test
  @DisplayName("A first replica changes the replication id but no data: the node continues to vote")
  void firstReplica() {
    String before = server.replicationId();
    vote("a:1", 0);
    try (RedisServer replica = RedisServers.start()) {
      replica.replicaOf(server);
      Await.until("it is another", () -> !server.replicationId().equals(before));
      vote("a:1", 0);
    }
    vote("a:1", 0);
  }

  @Test
  @DisplayName("Each promotion may have replaced the data: earlier reports are void")
  void promotions() {
    try (RedisServer other = RedisServers.start()) {
      NodeOperations.admit(server);
      for (int i = 0; i < 2; i++) {
        vote("a:1", 0);
        other.replicaOf(server);
        Await.until("it has a copy", () -> other.call("EXISTS", "lh:node").equals(ONE));
        other.call("REPLICAOF", "NO", "ONE");
        server.replicaOf(other);
        Await.until("it has the copy", this::isInSync);
        LockStoreException replica = assertThrows(LockStoreException.class, () -> vote("a:1", 0));
        assertEquals(LockStoreException.Kind.UNAVAILABLE, replica.kind());
        server.call("REPLICAOF", "NO", "ONE");
        LockStoreException e = assertThrows(LockStoreException.class, () -> vote("a:1", 0));
        assertTrue(String.valueOf(e.getMessage()).contains("QUARANTINE"), e.getMessage());
        Await.until(
            "it is noted",
            () ->
                server
                    .call("HGET", "lh:node", "replid")
                    .equals(Optional.of(server.replicationId())));
        assertThrows(LockStoreException.class, () -> vote("a:1", 0));
        server.call("HSET", "lh:node", "since", "0", "longest", "0"); // as if it had passed
      }
      vote("a:1", 0);
    }
  }

  private boolean isInSync() {
    try (RespConnection connection = server.connect()) {
      return connection.text("INFO", "replication").contains("master_link_status:up");
    }
  }

  @Test
  @DisplayName("A release keeps the lock for the waiter that it wakes, whatever it asks with then")
  void keepsItForTheWaiter() {
    LeaseKey holder = new LeaseKey("l", "a:1");
    Duration minute = Duration.ofMinutes(1);
    Await.value(node.vote(new AcquireRequest(holder, minute, IfHeld.REFUSE), 0));
    LeaseKey waiter = new LeaseKey("l", "b:1");
    Watch watch = Await.value(node.watch(waiter, () -> {}));
    try {
      AcquireRequest request = new AcquireRequest(waiter, minute, IfHeld.ENQUEUE);
      assertInstanceOf(Held.class, Await.value(node.vote(request, 0)));
      assertEquals(ReleaseResult.PASSED_ON, Await.value(node.release(holder)));
      assertEquals(Optional.of("+b:1"), server.call("GET", "lh:{l}"));
      AcquireRequest other = new AcquireRequest(new LeaseKey("l", "c:1"), minute, IfHeld.REFUSE);
      assertInstanceOf(Held.class, Await.value(node.vote(other, 0)));
      AcquireRequest laterRound = inTurnOf(waiter, new LeaseKey("l", "b:2"));
      assertInstanceOf(Granted.class, Await.value(node.vote(laterRound, 0)));
      assertEquals(Optional.of("b:2"), server.call("GET", "lh:{l}"));
    } finally {
      watch.close();
    }
  }

  private static AcquireRequest inTurnOf(LeaseKey waiter, LeaseKey token) {
    Duration minute = Duration.ofMinutes(1);
    return new AcquireRequest(token, minute, IfHeld.ENQUEUE).repeated().withWaiter(waiter);
  }

  @Test
  @DisplayName("A marker that records only shorter leases refuses a vote, and is mended")
  void shorterLeases() {
    long twoSecondsAgo = micros() / 1000 - 2000;
    server.call("HSET", "lh:node", "longest", "1000", "since", Long.toString(twoSecondsAgo));
    LockStoreException e = assertThrows(LockStoreException.class, () -> vote("a:1", 0));
    assertTrue(String.valueOf(e.getMessage()).contains("votes in 29"), e.getMessage());
    // A millisecond less, so that an older version still reports such leases.
    String longest = Long.toString(LONGEST.toMillis() - 1);
    assertEquals(Optional.of(longest), server.call("HGET", "lh:node", "longest"));
    server.call("HSET", "lh:node", "longest", "1000", "since", "0");
    vote("a:1", 0);
    assertEquals(Optional.of(longest), server.call("HGET", "lh:node", "longest"));
  }
}
