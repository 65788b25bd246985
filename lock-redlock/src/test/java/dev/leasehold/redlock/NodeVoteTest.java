package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.QuorumNode;
import dev.leasehold.lock.spi.Waiting;
import dev.leasehold.redis.set.RedisSetBackend;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a server of redis-set answers as a node")
class NodeVoteTest {
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final long SECOND = 1_000_000;

  private final RedisServer server = RedisServers.start();
  private QuorumNode node;

  @BeforeEach
  void start() {
    LockSettings settings = LockSettings.of(Map.of("lock.redis.uri", server.uri()));
    node = (QuorumNode) new RedisSetBackend().openNode(settings, LONGEST);
    Nodes.admit(server);
  }

  @AfterEach
  void stop() {
    node.close();
    server.close();
  }

  private long vote(String token, long proposal) {
    AcquireRequest request =
        new AcquireRequest(new LeaseKey("l", token), Duration.ofMinutes(1), Waiting.NO);
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
    long proposal = micros() + SECOND / 2;
    assertEquals(proposal, vote("a:1", proposal));
    assertEquals(proposal, vote("a:1", 1));
    assertEquals(proposal + 5, vote("a:1", proposal + 5));
    long cut = vote("a:1", micros() + 60 * SECOND);
    assertTrue(cut <= micros() + SECOND, "ahead by " + (cut - micros()));
    Await.value(node.release(new LeaseKey("l", "a:1")));
    long next = vote("b:1", micros() + 60 * SECOND);
    assertTrue(next > cut && next <= micros() + SECOND, "ahead by " + (next - micros()));
  }

  @Test
  @DisplayName(
      "A marker that tells of shorter leases only is mended by the vote, and may refuse it")
  void shorterLeases() {
    long twoSecondsAgo = micros() / 1000 - 2000;
    server.call("HSET", "lh:node", "longest", "1000", "since", Long.toString(twoSecondsAgo));
    LockStoreException e = assertThrows(LockStoreException.class, () -> vote("a:1", 0));
    assertTrue(String.valueOf(e.getMessage()).contains("votes in 29"), e.getMessage());
    String longest = Long.toString(LONGEST.toMillis());
    assertEquals(Optional.of(longest), server.call("HGET", "lh:node", "longest"));
    server.call("HSET", "lh:node", "longest", "1000", "since", "0");
    vote("a:1", 0);
    assertEquals(Optional.of(longest), server.call("HGET", "lh:node", "longest"));
  }
}
