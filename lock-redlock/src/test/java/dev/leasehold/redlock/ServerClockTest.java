package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.ClockShim;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Servers whose clocks are wrong, and are set right")
class ServerClockTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LONGEST = Duration.ofSeconds(3);

  /** For so long the servers keep a lock for the waiter that they woke. */
  private static final Duration TURN = Duration.ofMillis(500);

  private static final LockOptions OPTIONS = LockOptions.fixed(Duration.ofSeconds(2));

  private ClockShim clock;
  private List<RedisServer> servers = List.of();

  @BeforeEach
  void start() {
    clock = ClockShim.available().orElse(null);
    assumeTrue(clock != null, ClockShim::whyNot);
    clock.jump(HOUR);
    servers =
        Stream.generate(() -> RedisServers.start(ServerOptions.defaults().withClock(clock)))
            .limit(3)
            .toList();
  }

  @AfterEach
  void stop() {
    servers.forEach(RedisServer::close);
  }

  private LockManager open() {
    String nodes = servers.stream().map(RedisServer::uri).collect(Collectors.joining(","));
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.redlock.nodes",
                nodes,
                "lock.redlock.longest-lease",
                LONGEST.toSeconds() + "s")));
  }

  @Test
  @DisplayName(
      "One clock of three is 5 s ahead: the order of arrival holds, whatever a client"
          + " has seen of it")
  void arrival() throws Exception {
    try (ServerGroup right = ServerGroup.start(2, ServerOptions.defaults(), NodeOperations::admit);
        ServerGroup wrong =
            ServerGroup.start(
                1, ServerOptions.defaults().withClock(clock), NodeOperations::admit)) {
      clock.jump(Duration.ofSeconds(5).minus(clock.offset()));
      LockSettings fair =
          LockSettings.of(
              Map.of(
                  "lock.redlock.nodes",
                  wrong.uri() + "," + right.uri(),
                  "lock.redis.fair",
                  "true"));
      try (LockManager warm = LockManager.open(fair)) {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        Await.until("it has seen the wrong clock", () -> token(warm) > now + 4_000_000);
        int rounds = 0;
        for (int i = 0; i < 20 && rounds < 4; i++) {
          try (LockManager holder = LockManager.open(fair);
              LockManager cold = LockManager.open(fair)) {
            rounds +=
                isServedFirst(holder.lock("l").acquire(), warm, cold, right.servers()) ? 1 : 0;
          }
        }
        assertEquals(4, rounds, "rounds in which the lock was had in time");
      }
    }
  }

  private static long token(LockManager locks) {
    try (Lease lease = locks.lock("l").acquire()) {
      return lease.fencingToken();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** False if no waiter had it in time: one that takes longer than its turn is passed over. */
  private static boolean isServedFirst(
      Lease held, LockManager first, LockManager second, List<RedisServer> right) {
    CompletableFuture<Lease> one = first.lock("l").acquireAsync().toCompletableFuture();
    awaitLine(right, 1);
    CompletableFuture<Lease> two = second.lock("l").acquireAsync().toCompletableFuture();
    awaitLine(right, 2);
    long released = System.nanoTime();
    held.release();
    CompletableFuture.anyOf(one, two).join();
    boolean inTime = System.nanoTime() - released < TURN.dividedBy(2).toNanos();
    assertTrue(!inTime || one.isDone(), "the one that came later is served first");
    boolean inOrder = one.isDone();
    (inOrder ? one : two).join().release();
    (inOrder ? two : one).join().release();
    return inTime;
  }

  private static void awaitLine(List<RedisServer> servers, long length) {
    for (RedisServer server : servers) {
      Await.until(
          "so many wait",
          () -> server.call("ZCARD", "lh:{l}:wait").filter(n -> (Long) n >= length).isPresent());
    }
  }

  private static boolean canBeHad(LockManager locks) {
    try {
      Optional<Lease> lease = locks.lock("l", OPTIONS).tryAcquire();
      lease.ifPresent(Lease::release);
      return lease.isPresent();
    } catch (LockStoreException quarantined) {
      return false;
    }
  }

  private static void awaitVotes(LockManager locks) {
    Await.until("the nodes vote", LONGEST.multipliedBy(10), () -> canBeHad(locks));
  }

  @ParameterizedTest(name = "by a manager that is opened then: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("An hour back: they vote again once the longest lease has passed")
  void setBack(boolean isNew) {
    try (LockManager before = open()) {
      awaitVotes(before);
      clock.jump(HOUR.negated());
      if (isNew) {
        try (LockManager locks = open()) {
          awaitVotes(locks);
        }
      } else {
        awaitVotes(before);
      }
    }
  }

  @Test
  @DisplayName("An hour back while they stay out: they stay out for the longest lease anew")
  void setBackMeanwhile() {
    try (LockManager locks = open()) {
      long begun = System.nanoTime();
      clock.jump(HOUR.negated());
      awaitVotes(locks);
      Duration waited = Duration.ofNanos(System.nanoTime() - begun);
      assertTrue(waited.compareTo(LONGEST.minusMillis(200)) > 0, () -> "waited only " + waited);
    }
  }
}
