package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.Fault;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.ClockShim;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Real servers of which a minority does not do what it should")
class RealNodesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String KEY = "lh:{l}";

  private static ServerGroup servers(int count, ServerOptions options) {
    return ServerGroup.start(count, options, Nodes::admit);
  }

  private static LockManager open(String nodes) {
    return LockManager.open(LockSettings.of(Map.of("lock.redlock.nodes", nodes)));
  }

  private static boolean isFree(RedisServer server) {
    return server.call("GET", KEY).isEmpty();
  }

  private static List<RedisServer> minority(ServerGroup group) {
    return group.servers().subList(0, (group.servers().size() - 1) / 2);
  }

  /**
   * Takes the lock, has another refused, prolongs it and gives it back, and tells how long all that
   * took.
   */
  private static Duration use(LockManager holder, LockManager other) {
    long begun = System.nanoTime();
    Lease lease = holder.lock("l").tryAcquire().orElseThrow();
    assertEquals(Optional.empty(), other.lock("l").tryAcquire());
    assertTrue(lease.extend(Duration.ofSeconds(45)));
    lease.release();
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** Each of the four calls would take half a second or more, the time-out of one node. */
  private static void assertNotWaitedFor(LockManager holder, LockManager other) {
    Duration best = SECOND;
    for (int i = 0; i < 10; i++) {
      Duration took = use(holder, other);
      best = took.compareTo(best) < 0 ? took : best;
    }
    Duration quickest = best;
    assertTrue(quickest.toMillis() < 400, () -> "at best it took " + quickest);
  }

  @ParameterizedTest(name = "of {0}")
  @ValueSource(ints = {3, 5})
  @DisplayName("Stopped processes are not waited for, and are freed when they go on")
  void hung(int count) {
    try (ServerGroup group = servers(count, ServerOptions.defaults());
        LockManager holder = open(group.uri());
        LockManager other = open(group.uri())) {
      use(holder, other);
      List<RedisServer> hung = minority(group);
      hung.forEach(RedisServer::pause);
      try {
        assertNotWaitedFor(holder, other);
      } finally {
        hung.forEach(RedisServer::resume);
      }
      Await.until(
          "nothing is left", () -> group.servers().stream().allMatch(RealNodesTest::isFree));
      use(holder, other);
    }
  }

  @ParameterizedTest(name = "of {0}")
  @ValueSource(ints = {3, 5})
  @DisplayName("Replies that are lost leave nothing behind, grants that were not heard included")
  void lostReplies(int count) {
    try (ServerGroup group = servers(count, ServerOptions.defaults())) {
      List<RespProxy> proxies = new ArrayList<>();
      group.servers().forEach(server -> proxies.add(RespProxy.inFrontOf(server)));
      String uris = proxies.stream().map(RespProxy::uri).collect(Collectors.joining(","));
      try (LockManager holder = open(uris);
          LockManager other = open(group.uri())) {
        use(holder, other);
        var faults =
            proxies.subList(0, (count - 1) / 2).stream()
                .map(proxy -> proxy.every(CommandMatch.housekeeping().negate(), Fault.dropReply()))
                .toList();
        assertNotWaitedFor(holder, other);
        faults.forEach(ActiveFault::close);
        Await.until(
            "nothing is left",
            Duration.ofSeconds(20),
            () -> group.servers().stream().allMatch(RealNodesTest::isFree));
        use(holder, other);
      } finally {
        proxies.forEach(RespProxy::close);
      }
    }
  }

  @ParameterizedTest(name = "by {0} s")
  @ValueSource(ints = {3600, -3600})
  @DisplayName("A node whose clock jumps loses its vote, and nobody else gets the lock by it")
  void clockJump(int seconds) {
    assumeTrue(ClockShim.whyNot().isEmpty(), () -> "not run: " + ClockShim.whyNot());
    ClockShim clock = ClockShim.available().orElseThrow();
    List<RedisServer> servers = new ArrayList<>();
    try (ServerGroup two = servers(2, ServerOptions.defaults());
        ServerGroup one = servers(1, ServerOptions.defaults().withClock(clock))) {
      servers.addAll(two.servers());
      servers.addAll(one.servers());
      String uris = servers.stream().map(RedisServer::uri).collect(Collectors.joining(","));
      try (LockManager holder = open(uris);
          LockManager other = open(uris)) {
        LockOptions options = LockOptions.builder().automaticLease(Duration.ofSeconds(2)).build();
        Lease lease = holder.lock("l", options).tryAcquire().orElseThrow();
        Await.until("every node has it", () -> servers.stream().noneMatch(RealNodesTest::isFree));
        clock.jump(Duration.ofSeconds(seconds));
        long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (System.nanoTime() < until) {
          assertTrue(lease.isValid(), "a majority's renewals keep it");
          assertEquals(Optional.empty(), other.lock("l", options).tryAcquire());
          Await.pass(Duration.ofMillis(20));
        }
        long token = lease.fencingToken();
        lease.release();
        Lease next = other.lock("l", options).tryAcquire().orElseThrow();
        assertTrue(next.fencingToken() > token, "tokens grow over a clock that jumped");
        next.release();
      }
    }
  }
}
