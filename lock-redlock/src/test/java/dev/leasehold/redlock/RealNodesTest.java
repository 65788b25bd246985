package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.ClockShim;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Real servers, a minority of which fails")
class RealNodesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration AT_ONCE = Duration.ofMillis(400);
  private static final int TRIES = 20;
  private static final String KEY = "lh:{l}";

  private static ServerGroup servers(int count, ServerOptions options) {
    return ServerGroup.start(count, options, NodeOperations::admit);
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
   * Takes the lock, has another refused, prolongs it and gives it back, and returns how long all
   * that took.
   */
  private static Duration use(LockManager holder, LockManager other) {
    for (int i = 1; i < TRIES; i++) {
      try {
        return use(holder, other, i);
      } catch (LockStoreException late) {
        // Half a second was too little for a majority on this machine.
      }
    }
    return use(holder, other, TRIES);
  }

  private static Duration use(LockManager holder, LockManager other, int round) {
    // What an attempt took that failed is given back later.
    Duration wait = round == 1 ? Duration.ZERO : SECOND.multipliedBy(10);
    long begun = System.nanoTime();
    Lease lease = Await.value(holder.lock("l").tryAcquireAsync(wait)).orElseThrow();
    try {
      assertEquals(Optional.empty(), other.lock("l").tryAcquire());
      assertTrue(lease.extend(Duration.ofSeconds(45)));
      lease.release();
    } catch (LockStoreException late) {
      lease.releaseAsync();
      throw late;
    }
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /**
   * A call that waits for them takes half a second or more, the time-out of one node. In between
   * the nodes answer in time, since no caller waits for those that are late again and again.
   */
  private static void assertNotWaitedFor(
      LockManager holder, LockManager other, Runnable breaks, Runnable mends) {
    Duration best = SECOND;
    for (int i = 0; i < TRIES && best.compareTo(AT_ONCE) >= 0; i++) {
      breaks.run();
      Duration took;
      try {
        took = use(holder, other);
      } finally {
        mends.run();
      }
      best = took.compareTo(best) < 0 ? took : best;
      use(holder, other);
    }
    Duration quickest = best;
    assertTrue(quickest.compareTo(AT_ONCE) < 0, () -> "at best it took " + quickest);
  }

  @ParameterizedTest(name = "of {0}")
  @ValueSource(ints = {3, 5})
  @DisplayName("Stopped processes are not waited for, and are freed when they resume")
  void hung(int count) {
    try (ServerGroup group = servers(count, ServerOptions.defaults());
        LockManager holder = open(group.uri());
        LockManager other = open(group.uri())) {
      use(holder, other);
      List<RedisServer> hung = minority(group);
      assertNotWaitedFor(
          holder,
          other,
          () -> hung.forEach(RedisServer::pause),
          () -> hung.forEach(RedisServer::resume));
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
        List<ActiveFault> faults = new ArrayList<>();
        assertNotWaitedFor(
            holder,
            other,
            () ->
                proxies
                    .subList(0, (count - 1) / 2)
                    .forEach(
                        proxy ->
                            faults.add(
                                proxy.every(
                                    CommandMatch.housekeeping().negate(),
                                    CommandFault.dropReply()))),
            () -> faults.forEach(ActiveFault::close));
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

  @ParameterizedTest(name = "of {0} by {1} s")
  @CsvSource({"3,3600", "3,-3600", "5,3600", "5,-3600"})
  @DisplayName(
      "Nodes whose clocks jump end no lease of a majority, and no other owner gets the" + " lock")
  void clockJump(int count, int seconds) {
    assumeTrue(ClockShim.whyNot().isEmpty(), () -> "not run: " + ClockShim.whyNot());
    ClockShim clock = ClockShim.available().orElseThrow();
    int few = (count - 1) / 2;
    try (ServerGroup most = servers(count - few, ServerOptions.defaults());
        ServerGroup jumping = servers(few, ServerOptions.defaults().withClock(clock))) {
      List<RedisServer> servers = new ArrayList<>(most.servers());
      servers.addAll(jumping.servers());
      String uris = servers.stream().map(RedisServer::uri).collect(Collectors.joining(","));
      try (LockManager holder = open(uris);
          LockManager other = open(uris)) {
        LockOptions options = LockOptions.builder().automaticLease(SECOND.multipliedBy(4)).build();
        Lease lease = holder.lock("l", options).tryAcquire().orElseThrow();
        Await.until("every node has it", () -> servers.stream().noneMatch(RealNodesTest::isFree));
        clock.jump(Duration.ofSeconds(seconds));
        Await.until("the clocks have jumped", () -> areOff(jumping.servers(), seconds));
        long until = System.nanoTime() + SECOND.multipliedBy(9).dividedBy(2).toNanos();
        while (System.nanoTime() < until) {
          assertTrue(lease.isValid(), "a majority's renewals keep it");
          assertFalse(isTaken(other, options), "two holders");
          Await.pass(Duration.ofMillis(20));
        }
        long token = lease.fencingToken();
        lease.release();
        Lease next =
            Await.value(other.lock("l", options).tryAcquireAsync(SECOND.multipliedBy(20)))
                .orElseThrow();
        assertTrue(next.fencingToken() > token, "tokens grow over a clock that jumped");
        next.release();
      }
    }
  }

  @Test
  @DisplayName("A node whose clock is beyond 2255 leads no fences there: its vote is missed")
  void farClock() {
    ClockShim clock = ClockShim.available().orElse(null);
    assumeTrue(clock != null, ClockShim::whyNot);
    try (ServerGroup right = servers(2, ServerOptions.defaults());
        ServerGroup far = servers(1, ServerOptions.defaults().withClock(clock))) {
      clock.jump(Duration.ofDays(365 * 231));
      try (LockManager locks = open(right.uri() + "," + far.uri())) {
        RedisServer other = right.servers().get(1);
        other.pause(); // so that its vote would be needed
        assertThrows(LockStoreException.class, () -> locks.lock("l").tryAcquire());
        other.resume();
        Await.until("it is back", () -> canBeHad(locks));
        long last = 0;
        for (int i = 0; i < 20; i++) {
          try (Lease lease = locks.lock("l").tryAcquire().orElseThrow()) {
            assertTrue(lease.fencingToken() > last, lease.fencingToken() + " after " + last);
            last = lease.fencingToken();
          }
        }
        for (RedisServer server : right.servers()) {
          long fence = Long.parseLong(server.call("GET", KEY + ":fence").orElseThrow().toString());
          long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
          assertTrue(Math.abs(fence - micros) < 60_000_000, "a healthy node's fence: " + fence);
        }
      }
    }
  }

  private static boolean canBeHad(LockManager locks) {
    try {
      locks.lock("l").tryAcquire().orElseThrow().release();
      return true;
    } catch (LockException | NoSuchElementException notYet) {
      return false;
    }
  }

  private static boolean isTaken(LockManager locks, LockOptions options) {
    try {
      return locks.lock("l", options).tryAcquire().isPresent();
    } catch (LockStoreException slow) {
      return false; // a machine that is busy
    }
  }

  private static boolean areOff(List<RedisServer> servers, int seconds) {
    return servers.stream().allMatch(server -> Math.abs(secondsOff(server) - seconds) < 60);
  }

  private static long secondsOff(RedisServer server) {
    List<?> time = (List<?>) server.call("TIME").orElseThrow();
    return Long.parseLong(time.get(0).toString()) - Instant.now().getEpochSecond();
  }
}
