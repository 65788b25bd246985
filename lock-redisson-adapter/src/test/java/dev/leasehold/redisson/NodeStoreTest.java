package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("One server as a node of a quorum")
class NodeStoreTest {
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Duration TTL = Duration.ofMinutes(1);

  private final Apps apps = new Apps();
  private final RedisServer server = apps.server();

  @AfterEach
  void close() {
    apps.close();
  }

  private IdentifiedStore open(String... more) {
    Map<String, String> all = new TreeMap<>(Map.of("lock.redis.uri", server.uri()));
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return apps.closing(new RedissonBackend().openNode(LockSettings.of(all), LONGEST));
  }

  private static AcquireRequest request(String name, String token) {
    return new AcquireRequest(new LeaseKey(name, token), TTL, IfHeld.REFUSE);
  }

  private static LockStoreException refused(IdentifiedStore store, AcquireRequest request) {
    CompletionException e =
        assertThrows(
            CompletionException.class, () -> store.acquire(request).toCompletableFuture().join());
    return assertInstanceOf(LockStoreException.class, e.getCause());
  }

  private void admit() {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0");
  }

  @Test
  @DisplayName("A new server does not vote; nor does one whose data is of another run, or is gone")
  void quarantine() {
    IdentifiedStore store = open();
    assertEquals(server.runId(), store.serverId());
    LockStoreException e = refused(store, request("new", "a:1"));
    assertEquals(Kind.UNAVAILABLE, e.kind());
    assertTrue(e.getMessage().contains("QUARANTINE"), e.getMessage());
    admit();
    assertInstanceOf(Granted.class, Await.value(store.acquire(request("new", "a:1"))));

    // As after a restart with data that is a second old.
    server.call("HSET", "lh:node", "run", "the one before");
    assertTrue(refused(store, request("old", "a:2")).getMessage().contains("QUARANTINE"));
    awaitNoted();
    assertTrue(refused(store, request("old", "a:2")).getMessage().contains("votes in"));

    admit();
    assertInstanceOf(Granted.class, Await.value(store.acquire(request("old", "a:2"))));
    server.call("FLUSHALL");
    assertTrue(refused(store, request("old", "a:3")).getMessage().contains("QUARANTINE"));
    awaitNoted();
  }

  private void awaitNoted() {
    Await.until(
        "it has noted its run",
        () -> server.call("HGET", "lh:node", "run").equals(Optional.of(server.runId())));
  }

  @Test
  @DisplayName("A vote draws no fence below the proposal, and a fence is only raised")
  void fences() {
    QuorumNode store = (QuorumNode) open();
    admit();
    long proposal = micros() + 500_000;
    AcquireRequest first = request("fence", "a:1");
    assertEquals(proposal, fence(Await.value(store.vote(first, proposal))));
    assertEquals(proposal, fence(Await.value(store.vote(first, 1))));
    assertEquals(proposal + 5, fence(Await.value(store.vote(first, proposal + 5))));
    assertEquals(RenewResult.RENEWED, Await.value(store.raise(first.key(), proposal + 9, 0)));
    assertEquals(RenewResult.RENEWED, Await.value(store.raise(first.key(), 1, 0)));
    assertEquals(
        RenewResult.NOT_OWNER,
        Await.value(store.raise(new LeaseKey("fence", "b:1"), proposal + 99, 0)));
    Await.value(store.release(first.key()));
    assertEquals(proposal + 10, fence(Await.value(store.vote(request("fence", "b:1"), 0))));
  }

  @Test
  @DisplayName("A proposal far ahead of the server's clock is cut")
  void cut() {
    QuorumNode store = (QuorumNode) open();
    admit();
    AcquireRequest request = request("cut", "a:1");
    for (int i = 0; i < 2; i++) { // taken, and taken again
      long fence = fence(Await.value(store.vote(request, micros() + 60_000_000)));
      assertTrue(fence <= micros() + 1_000_000, "ahead by " + (fence - micros()));
    }
  }

  @Test
  @DisplayName("Its longer leases are noted when it enters, and mended in a marker of shorter ones")
  void shorterLeases() {
    IdentifiedStore store = open();
    // A millisecond less, so that an older version still reports such leases.
    String longest = Long.toString(LONGEST.toMillis() - 1);
    assertEquals(Optional.of(longest), server.call("HGET", "lh:node", "longest"));
    admit();
    long twoSecondsAgo = micros() / 1000 - 2000;
    server.call("HSET", "lh:node", "longest", "1000", "since", Long.toString(twoSecondsAgo));
    LockStoreException e = refused(store, request("short", "a:1"));
    assertTrue(e.getMessage().contains("votes in 29"), e.getMessage());
    assertEquals(Optional.of(longest), server.call("HGET", "lh:node", "longest"));
    server.call("HSET", "lh:node", "since", "0", "longest", "1000");
    assertInstanceOf(Granted.class, Await.value(store.acquire(request("short", "a:1"))));
    assertEquals(Optional.of(longest), server.call("HGET", "lh:node", "longest"));
  }

  @Test
  @DisplayName("A clock that was set back keeps it out for the longest lease, whatever the step")
  void setBack() {
    IdentifiedStore store = open();
    long now = micros() / 1000;
    server.call("HSET", "lh:node", "since", Long.toString(now + 3_600_000));
    String words = refused(store, request("back", "a:1")).getMessage();
    assertTrue(words.contains("votes in " + LONGEST.toMillis() + " ms"), words);
    long since = Long.parseLong(server.call("HGET", "lh:node", "since").orElseThrow().toString());
    assertTrue(since >= now && since <= micros() / 1000, "known since " + since);
  }

  private long micros() {
    List<?> time = (List<?>) server.call("TIME").orElseThrow();
    return Long.parseLong(time.get(0).toString()) * 1_000_000
        + Long.parseLong(time.get(1).toString());
  }

  private static long fence(AcquireResult result) {
    OptionalLong fence = ((Granted) result).fence();
    return fence.orElseThrow();
  }

  @Test
  @DisplayName("Longer leases than the quorum's, a cluster, and a line are refused")
  void refusals() {
    IdentifiedStore store = open();
    admit();
    AcquireRequest tooLong =
        new AcquireRequest(new LeaseKey("long", "a:1"), LONGEST.plusMillis(1), IfHeld.REFUSE);
    assertEquals(Kind.REFUSED, refused(store, tooLong).kind());
    for (List<String> wrong :
        List.of(
            List.of("lock.redis.cluster", "true"),
            List.of("lock.redisson.mode", "fair"),
            List.of("lock.redisson.renewal", "watchdog"))) {
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> open(wrong.toArray(String[]::new)));
      assertTrue(e.getMessage().contains(wrong.get(0)), e.getMessage());
    }
  }
}
