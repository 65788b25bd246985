package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.WELL_BEFORE;
import static dev.leasehold.redisson.Apps.took;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.SentinelCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SubscriptionMode;

/** One failover, and what was there before it. */
@DisplayName("When Sentinels name another primary")
class FailoverTest {
  /** Longer than the failover takes. */
  private static final Duration LEASE = Duration.ofSeconds(9);

  private static final LockOptions AUTOMATIC = LockOptions.builder().automaticLease(LEASE).build();

  private static SentinelCluster servers;
  private static LockManager one;
  private static LockManager other;
  private static RedissonClient client;
  private static LockManager watching;
  private static Lease renewed;
  private static Lease watched;
  private static long tokenBefore;

  @BeforeAll
  static void failOver() throws Exception {
    servers = SentinelCluster.start();
    one = open();
    other = open();
    client = client();
    LeaseStore store = RedissonLocks.over(client).open();
    watching = LockManager.over(store).renewer(RedissonLocks.watchdog(store)).build();
    try (Lease lease = one.lock("moves").acquire()) {
      tokenBefore = lease.fencingToken();
    }
    renewed = one.lock("renewed", AUTOMATIC).acquire(); // and the replica has it
    watched = watching.lock("watched", AUTOMATIC).acquire();
    servers.failOver();
  }

  @AfterAll
  static void close() {
    renewed.release();
    watched.release();
    watching.close();
    client.shutdown(0, 2, TimeUnit.SECONDS);
    other.close();
    one.close();
    servers.close();
  }

  private static LockManager open() {
    String uri =
        servers.sentinels().stream()
            .map(s -> s.host() + ":" + s.port())
            .collect(Collectors.joining(",", "redis-sentinel://", "#" + servers.name()));
    return LockManager.open(
        LockSettings.of(Map.of("lock.backend", "redisson", "lock.redis.uri", uri)));
  }

  /** Its watchdog makes leases longer than they are by themselves. */
  private static RedissonClient client() {
    Config config = new Config().setThreads(2).setNettyThreads(2);
    config.setLockWatchdogTimeout(LEASE.plusSeconds(3).toMillis());
    config
        .useSentinelServers()
        .setMasterName(servers.name())
        .setCheckSentinelsList(false)
        .setReadMode(ReadMode.MASTER)
        .setSubscriptionMode(SubscriptionMode.MASTER)
        .setMasterConnectionMinimumIdleSize(1)
        .setSubscriptionConnectionMinimumIdleSize(1)
        .setSentinelAddresses(servers.sentinels().stream().map(s -> s.uri()).toList());
    return Redisson.create(config);
  }

  private static long ttl(String name) {
    return (Long) servers.primary().call("PTTL", name).orElseThrow();
  }

  @Test
  @DisplayName("A lease that was held before is renewed at the next primary, and stays")
  void renewed() {
    assertStays(renewed, 0);
  }

  @Test
  @DisplayName("Redisson's watchdog is the renewer there, and the lease continues")
  void watched() {
    // More than the lease is what the watchdog alone makes of it.
    assertStays(watched, LEASE.toMillis());
  }

  /** Renewed there, to more than this, and confirmed. */
  private static void assertStays(Lease lease, long least) {
    assertTrue(lease.isValid());
    awaitRise("it is renewed at the next primary", () -> ttl(lease.lockName()), least);
    awaitRise("and the holder knows", () -> lease.remaining().toMillis(), 0);
    assertFalse(lease.lost().toCompletableFuture().isDone());
    List<?> holders = (List<?>) servers.primary().call("HKEYS", lease.lockName()).orElseThrow();
    assertEquals(1, holders.size());
  }

  /**
   * Waits until a time that runs down is more than when it was last read, and more than this. A
   * first reading soon after a renewal may be as much as there will ever be.
   */
  private static void awaitRise(String what, LongSupplier remaining, long least) {
    long[] before = {remaining.getAsLong()};
    Await.until(
        what,
        () -> {
          long now = remaining.getAsLong();
          boolean rose = now > before[0];
          before[0] = now;
          return rose && now > least;
        });
  }

  @Test
  @DisplayName("The next primary grants, tokens increase, and wake-ups arrive")
  void goesOn() {
    DistributedLock lock = one.lock("moves", LockOptions.fixed(Apps.LONG));
    Lease[] held = new Lease[1];
    Await.until("the next primary grants it", () -> (held[0] = tried(lock)) != null);
    assertTrue(held[0].fencingToken() > tokenBefore);
    CompletableFuture<Lease> waiting = other.lock("moves").acquireAsync().toCompletableFuture();
    Await.until(
        "it listens at the next primary",
        () -> {
          List<?> counts =
              (List<?>)
                  servers
                      .primary()
                      .call("PUBSUB", "NUMSUB", "redisson_lock__channel:{moves}")
                      .orElseThrow();
          return counts.get(1).equals(1L);
        });
    held[0].release();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    Await.value(waiting).release();
  }

  private static Lease tried(DistributedLock lock) throws InterruptedException {
    try {
      return lock.tryAcquire(Duration.ofSeconds(1)).orElse(null);
    } catch (LockException unreachable) {
      return null;
    }
  }
}
