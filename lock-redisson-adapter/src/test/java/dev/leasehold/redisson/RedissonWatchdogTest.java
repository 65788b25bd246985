package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.took;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.redisson.api.RedissonClient;

@DisplayName("Redisson's watchdog as the renewer")
class RedissonWatchdogTest {
  private static final String NAME = "watched";
  private static final Duration TIMEOUT = Duration.ofMillis(3000);

  /** Less than what the watchdog surely leaves, so that a look finds nothing to do. */
  private static final Duration LEASE = Duration.ofMillis(1600);

  private static final int CHANCES = 10;

  private static final CommandMatch LOOK = CommandMatch.containing(RedissonScript.RENEW.sha());

  private final Apps apps = new Apps();
  private final RespProxy proxy = apps.closing(RespProxy.inFrontOf(apps.server()));
  private final RedissonClient client =
      apps.redisson(proxy.uri(), config -> config.setLockWatchdogTimeout(TIMEOUT.toMillis()));
  private final LeaseStore store = RedissonLocks.over(client).open();
  private final LockManager manager =
      apps.closing(LockManager.over(store).renewer(RedissonLocks.watchdog(store)).build());
  private final LockOptions automatic = LockOptions.builder().automaticLease(LEASE).build();

  @AfterEach
  void close() {
    apps.close();
  }

  private static CommandMatch watchdogs() {
    return CommandMatch.named("EVALSHA", "EVAL")
        .and(CommandMatch.containing(NAME))
        .and(CommandMatch.containing(Long.toString(TIMEOUT.toMillis())))
        .and(LOOK.negate());
  }

  @Test
  @DisplayName("It keeps a lease alive, and looks move its deadline")
  void keepsAlive() throws Exception {
    ActiveFault renewals = proxy.every(watchdogs(), CommandFault.delayReply(Duration.ZERO));
    Lease lease = renewedTwice(renewals);
    Await.until(
        "by the watchdog's time-out, not the lease's", () -> apps.ttl(NAME) > LEASE.toMillis());
    lease.release();
    int before = renewals.hits();
    Await.pass(TIMEOUT.dividedBy(2));
    assertEquals(before, renewals.hits(), "nothing is renewed after a release");
  }

  /** A lease is lost, and the watchdog with it, where this machine stands still for that long. */
  private Lease renewedTwice(ActiveFault renewals) throws Exception {
    for (int i = 0; i < CHANCES; i++) {
      int before = renewals.hits();
      Lease lease = manager.lock(NAME, automatic).acquire();
      Await.until("it has renewed", () -> renewals.hits() >= before + 2 || !lease.isValid());
      if (lease.isValid()) {
        return lease;
      }
      assertThrows(LeaseLostException.class, lease::release);
    }
    return fail("in none of " + CHANCES + " rounds was this machine fast enough");
  }

  @Test
  @DisplayName("A lock unknown to Redisson's watchdog is kept alive by the checks")
  void otherKinds() throws Exception {
    Lease read = manager.readWriteLock("sides", automatic).read().acquire();
    Lease permit = manager.semaphore("permits", 1, automatic).acquire();
    Await.pass(LEASE.multipliedBy(2));
    read.ensureValid();
    permit.ensureValid();
    assertTrue(apps.ttl("sides") > 0);
    assertTrue(client.getPermitExpirableSemaphore("permits").tryAcquire() == null);
    read.release();
    permit.release();
  }

  @Test
  @DisplayName("A lease that can't be checked is reported as lost by its deadline")
  void lossIsTold() throws Exception {
    Lease lease = manager.lock(NAME, automatic).acquire();
    CompletableFuture<LeaseLoss> lost = lease.lost().toCompletableFuture();
    proxy.every(LOOK, CommandFault.refuse("LOADING it does not answer"));
    assertTrue(took(lost).compareTo(LEASE.plusSeconds(1)) < 0);
    assertEquals(Reason.EXPIRED, Await.value(lost).reason());
  }

  @Test
  @DisplayName("A fixed lease is not prolonged")
  void fixedStaysFixed() throws Exception {
    Lease lease = manager.lock(NAME, LockOptions.fixed(LEASE)).acquire();
    Await.until("it is over", TIMEOUT.multipliedBy(2), () -> apps.ttl(NAME) == -2);
    assertFalse(lease.isValid());
  }

  @Test
  @DisplayName("A minimum hold is not cut by it")
  void minimumIsNotCut() throws Exception {
    LockOptions job =
        LockOptions.builder().automaticLease(LEASE).atLeast(Duration.ofMinutes(1)).build();
    Lease lease = manager.lock(NAME, job).acquire();
    Await.pass(TIMEOUT);
    assertTrue(apps.ttl(NAME) > 55_000);
    lease.release();
    assertTrue(apps.ttl(NAME) > 55_000);
  }

  @Test
  @DisplayName(
      "A lease that the watchdog would shorten is refused, and a longer one is not"
          + " passed to it")
  void notCut() throws Exception {
    Lease lease = manager.lock(NAME, automatic).acquire();
    assertThrows(LockStoreException.class, () -> lease.extend(Duration.ofMinutes(1)));
    lease.release();
    Lease longer =
        manager
            .lock(NAME, LockOptions.builder().automaticLease(Duration.ofMinutes(1)).build())
            .acquire();
    Await.pass(TIMEOUT.dividedBy(2));
    assertTrue(apps.ttl(NAME) > 55_000);
    longer.release();
  }

  @Test
  @DisplayName("A lease handed over to a waiter that wants a longer one is kept by the checks")
  void handedOver() throws Exception {
    HandOver within = new HandOver(10, Duration.ofSeconds(5));
    LockOptions brief = automatic.toBuilder().handOver(within).build();
    LockOptions longer = brief.toBuilder().automaticLease(TIMEOUT.plusMillis(50)).build();
    DistributedLock lock = manager.lock(NAME, brief.toBuilder().automaticLease(TIMEOUT).build());
    // Its holder had to queue, so there are numbers for the next.
    Lease head = lock.acquire();
    CompletableFuture<Lease> queued = lock.acquireAsync().toCompletableFuture();
    head.release();
    Lease first = Await.value(queued);
    long token = first.fencingToken();
    CompletableFuture<Lease> next = manager.lock(NAME, longer).acquireAsync().toCompletableFuture();
    first.release();
    Lease lease = Await.value(next);
    assertEquals(token + 1, lease.fencingToken(), "it was handed over in the process");
    Await.pass(TIMEOUT.multipliedBy(2));
    assertTrue(lease.isValid());
    lease.release();
  }

  @Test
  @DisplayName("The setting chooses it")
  void bySetting() throws Exception {
    for (RedissonRenewal renewal : RedissonRenewal.values()) {
      Map<String, String> settings =
          Map.of(
              "lock.backend",
              "redisson",
              "lock.redisson.renewal",
              RedisSettings.id(renewal),
              "lock.redis.uri",
              apps.server().uri());
      try (LockManager own = LockManager.open(LockSettings.of(settings));
          Lease lease = own.lock(NAME).acquire()) {
        // What Redisson's would cut to its own thirty seconds is no problem for Leasehold's.
        Executable extend = () -> lease.extend(Duration.ofMinutes(1));
        if (renewal == RedissonRenewal.WATCHDOG) {
          assertThrows(LockStoreException.class, extend);
        } else {
          assertDoesNotThrow(extend);
        }
      }
    }
  }
}
