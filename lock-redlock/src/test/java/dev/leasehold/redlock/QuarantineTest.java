package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.Ports;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A node that may have forgotten locks does not vote")
class QuarantineTest {
  private static final Duration LONGEST = Duration.ofSeconds(3);
  private static final LockOptions OPTIONS =
      LockOptions.builder().fixedLease(Duration.ofMillis(2500)).build();

  private final List<RedisServer> servers = new ArrayList<>();
  private Duration longest = LONGEST;
  private LockOptions options = OPTIONS;

  private void start(int count, ServerOptions options) {
    for (int i = 0; i < count; i++) {
      servers.add(RedisServers.start(options));
    }
  }

  @AfterEach
  void stop() {
    servers.forEach(RedisServer::close);
  }

  private LockManager open() {
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.redlock.nodes",
                servers.stream().map(RedisServer::uri).collect(Collectors.joining(",")),
                "lock.redlock.longest-lease",
                longest.toMillis() + "ms")));
  }

  /**
   * Takes the lock as soon as it can be had: long enough after the nodes were asked first.
   *
   * @param begun before that
   */
  private static void assertWaits(LockManager locks, long begun) {
    Await.until(
        "the lock is taken",
        Duration.ofSeconds(20),
        () -> {
          try {
            Optional<Lease> lease = locks.lock("l", OPTIONS).tryAcquire();
            lease.ifPresent(Lease::release);
            return lease.isPresent();
          } catch (LockStoreException quarantined) {
            assertTrue(
                quarantined.kind() == Kind.TIMED_OUT // on a busy machine
                    || quarantined.getMessage().contains("QUARANTINE")
                    || quarantined.getMessage().contains("connect"),
                quarantined.getMessage());
            return false;
          }
        });
    Duration waited = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(waited.compareTo(LONGEST.minusMillis(200)) > 0, () -> "waited only " + waited);
  }

  private static Kind refusal(LockManager locks) {
    return assertThrows(LockStoreException.class, () -> locks.lock("l", OPTIONS).tryAcquire())
        .kind();
  }

  /** Takes a lock that is free, however late nodes answer. */
  private Lease taken(LockManager locks, String name) {
    return Await.value(locks.lock(name, options).tryAcquireAsync(Duration.ofSeconds(20)))
        .orElseThrow();
  }

  @Test
  @DisplayName("when it is new: the quorum waits once, for the longest lease")
  void newQuorum() {
    start(3, ServerOptions.defaults());
    long begun = System.nanoTime();
    try (LockManager locks = open()) {
      Kind kind = refusal(locks);
      while (kind == Kind.TIMED_OUT) { // on a busy machine
        kind = refusal(locks);
      }
      assertEquals(Kind.UNAVAILABLE, kind);
      assertWaits(locks, begun);
    }
    try (LockManager again = open()) {
      taken(again, "l").release();
    }
  }

  @ParameterizedTest(name = "of {0}")
  @ValueSource(ints = {3, 5})
  @DisplayName("when it was restarted empty: also for a client that never met it before")
  void restartedEmpty(int count) {
    start(count, ServerOptions.defaults());
    servers.forEach(NodeOperations::admit);
    int majority = count / 2 + 1;
    List<RedisServer> others = servers.subList(majority, count);
    others.forEach(RedisServer::kill); // so that the lock is on a bare majority
    try (LockManager holder = open()) {
      Lease lease = taken(holder, "l");
      servers.get(0).kill();
      servers.get(0).restart(Data.LOSE);
      long begun = System.nanoTime(); // the holder meets each as soon as it is there
      others.forEach(server -> server.restart(Data.LOSE));
      try (LockManager stranger = open()) {
        assertWaits(stranger, begun);
        assertTrue(!lease.isValid(), "a second holder while the first one's lease goes on");
      }
    }
  }

  @Test
  @DisplayName("when only the last second of its append-only file is gone")
  void lostSecond() {
    assertTrue(!overlaps(false), "a second holder while the first one's lease goes on");
  }

  @Test
  @DisplayName("The twin: a node that votes again at once lets a second holder in")
  void lostSecondAndAdmitted() {
    // Ends with the overlap, long before such a lease; nodes have more time to answer.
    longest = Duration.ofSeconds(21);
    options = LockOptions.fixed(Duration.ofSeconds(20));
    assertTrue(overlaps(true), "the lost second should have let a second holder in");
  }

  /**
   * The lock is on the first two servers; the first is killed before what it wrote last has reached
   * its disk, and starts again. Whether another gets the lock on it and the third, meanwhile.
   */
  private boolean overlaps(boolean admitted) {
    start(3, ServerOptions.defaults().withAppendOnlyFile());
    servers.forEach(NodeOperations::admit);
    try (LockManager stranger = open()) {
      taken(stranger, "other").release();
      RedisServer first = servers.get(0);
      try (LockManager holder = openWithout(servers.get(2))) {
        taken(holder, "other").release();
        Path file = NodeOperations.appendOnlyFile(first);
        // The server puts writing off while it synchronizes the file, for up to two seconds.
        Await.until(
            "the other lock is in its file", () -> NodeOperations.has(file, "lh:{other}:fence"));
        long synced = NodeOperations.size(file);
        Lease lease = taken(holder, "l");
        Await.until("the first has it", () -> first.call("GET", "lh:{l}").isPresent());
        first.kill();
        NodeOperations.truncate(file, synced);
        first.restart(Data.KEEP);
        assertTrue(first.call("GET", "lh:{l}").isEmpty(), "the server has forgotten the lock");
        assertTrue(first.call("GET", "lh:{other}:fence").isPresent(), "and nothing else");
        if (admitted) {
          NodeOperations.admit(first);
        }
        while (lease.isValid()) {
          try {
            Optional<Lease> second = stranger.lock("l", options).tryAcquire();
            if (second.isPresent() && lease.isValid()) {
              second.get().releaseAsync();
              lease.releaseAsync(); // or to close would wait for it
              return true;
            }
          } catch (LockStoreException quarantined) {
            Await.pass(Duration.ofMillis(5));
          }
        }
        return false;
      }
    }
  }

  /** A holder that can't reach one of the servers. */
  private LockManager openWithout(RedisServer unreachable) {
    String nodes =
        servers.stream()
            .map(
                server ->
                    server == unreachable ? "redis://127.0.0.1:" + Ports.free() : server.uri())
            .collect(Collectors.joining(","));
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.redlock.nodes",
                nodes,
                "lock.redlock.longest-lease",
                longest.toMillis() + "ms")));
  }

  @Test
  @DisplayName("when its data was deleted while it ran")
  void flushed() {
    start(3, ServerOptions.defaults());
    servers.forEach(NodeOperations::admit);
    try (LockManager locks = open()) {
      locks.lock("l", OPTIONS).tryAcquire().orElseThrow().release();
      servers.get(0).call("FLUSHALL");
      servers.get(1).call("FLUSHALL");
      assertWaits(locks, System.nanoTime());
    }
  }

  @Test
  @DisplayName("A lease longer than the longest is refused")
  void tooLong() {
    start(3, ServerOptions.defaults());
    servers.forEach(NodeOperations::admit);
    try (LockManager locks = open()) {
      LockOptions long4 = LockOptions.builder().fixedLease(Duration.ofSeconds(4)).build();
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> locks.lock("l", long4));
      assertTrue(e.getMessage().contains("lock.redlock.longest-lease"), e.getMessage());
      Lease lease = locks.lock("l", OPTIONS).tryAcquire().orElseThrow();
      assertThrows(LockConfigurationException.class, () -> lease.extend(Duration.ofSeconds(4)));
      assertTrue(lease.isValid());
      lease.release();
    }
  }
}
