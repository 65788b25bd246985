package dev.leasehold.redisson;

import static dev.leasehold.testkit.TestThreads.onThread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;

/** Where Redisson's own locks are still so, the test shows that too. */
@DisplayName("Known defects of Redisson's read/write locks do not occur in ours")
class KnownSideDefectsTest {
  private static final String NAME = "sides";
  private static final Duration WATCHDOG = Duration.ofMillis(900);

  /** Less than the longer leases here: to wait longer would wait for those, too. */
  private static final Duration SOON = Duration.ofSeconds(10);

  private final Apps apps = new Apps();
  private final LockManager manager = apps.ours(RedissonMode.PLAIN);
  private final LockManager second = apps.ours(RedissonMode.PLAIN);

  @AfterEach
  void close() {
    apps.close();
  }

  private RReadWriteLock theirs() {
    return apps.redisson(
            apps.server().uri(), config -> config.setLockWatchdogTimeout(WATCHDOG.toMillis()))
        .getReadWriteLock(NAME);
  }

  private static DistributedReadWriteLock ours(LockManager manager, Duration lease) {
    return manager.readWriteLock(NAME, LockOptions.builder().automaticLease(lease).build());
  }

  @Test
  @DisplayName("A reader that re-entered is not renewed after its last release (PR 7251)")
  void renewedForEver() throws Exception {
    DistributedReadWriteLock lock = ours(manager, Duration.ofMillis(1500));
    Lease other = onThread(() -> lock.read().acquire()).get();
    for (int i = 0; i < 3; i++) {
      Lease first = lock.read().acquire();
      Lease again = lock.read().acquire();
      first.release();
      again.release();
    }
    other.release();
    assertEquals(-2, apps.ttl(NAME));
    Lease write = second.readWriteLock(NAME).write().tryAcquire().orElseThrow();
    Await.pass(Duration.ofMillis(1700));
    assertTrue(write.isValid());
    write.release();
    assertEquals(-2, apps.ttl(NAME));
  }

  @Test
  @DisplayName("A plain reader that died is not renewed with ours that live (PR 7098)")
  void deadBesideTheLiving() throws Exception {
    Lease living = ours(manager, Duration.ofMillis(1500)).read().acquire();
    RedissonClient dying =
        apps.redisson(
            apps.server().uri(), config -> config.setLockWatchdogTimeout(WATCHDOG.toMillis()));
    dying.getReadWriteLock(NAME).readLock().lock();
    assertEquals(2, readers());
    dying.shutdown(0, 2, TimeUnit.SECONDS);
    Await.until("its lease is over", SOON, () -> readers() == 1);
    living.ensureValid();
    assertEquals(Optional.empty(), second.readWriteLock(NAME).write().tryAcquire());
    living.release();
    second.readWriteLock(NAME).write().tryAcquire().orElseThrow().release();
  }

  private int readers() {
    Object timeouts = apps.server().call("KEYS", "{" + NAME + "}:*").orElseThrow();
    return ((List<?>) timeouts).size();
  }

  @Test
  @DisplayName(
      "A writer that continues as a reader has the lock for that lease, not the longer" + " one")
  void leaseOfTheWriter() throws Exception {
    Duration brief = Duration.ofMillis(300);
    RReadWriteLock theirs = theirs();
    theirs.writeLock().lock(20, TimeUnit.SECONDS);
    theirs.readLock().lock(brief.toMillis(), TimeUnit.MILLISECONDS);
    theirs.writeLock().unlock();
    Await.pass(brief);
    assertFalse(theirs().writeLock().tryLock(), "mended there: take this line out");
    Lease write = ours(second, Duration.ofSeconds(20)).write().tryAcquire().orElseThrow();
    write.release();

    Lease longer = ours(manager, Duration.ofSeconds(20)).write().acquire();
    manager.readWriteLock(NAME, LockOptions.fixed(brief)).read().acquire();
    longer.release();
    Await.until("the reader's lease is over", SOON, () -> apps.ttl(NAME) == -2);
    assertTrue(theirs().writeLock().tryLock());
  }

  @Test
  @DisplayName("A writer's lease is not shortened by the release of its own reader")
  void cutByItsOwnReader() throws Exception {
    RReadWriteLock theirs = theirs();
    theirs.writeLock().lock(20, TimeUnit.SECONDS);
    theirs.readLock().lock(5, TimeUnit.SECONDS);
    theirs.readLock().lock(5, TimeUnit.SECONDS);
    theirs.readLock().unlock();
    assertTrue(apps.ttl(NAME) <= 5_000, "mended there: take this line out");
    theirs.readLock().unlock();
    theirs.writeLock().unlock();

    Lease write = ours(manager, Duration.ofSeconds(20)).write().acquire();
    DistributedReadWriteLock brief =
        manager.readWriteLock(NAME, LockOptions.fixed(Duration.ofSeconds(5)));
    Lease read = brief.read().acquire();
    brief.read().acquire().release();
    read.release();
    assertTrue(apps.ttl(NAME) > 5_000);
    assertFalse(theirs.readLock().tryLock());
    write.release();
  }

  @Test
  @DisplayName("Waiting readers are notified when a writer continues as a reader")
  void toldOfReaders() throws Exception {
    RReadWriteLock theirs = theirs();
    Lease write = ours(manager, Duration.ofSeconds(20)).write().acquire();
    Lease read = ours(manager, Duration.ofSeconds(20)).read().acquire();
    CompletableFuture<Boolean> waits =
        onThread(() -> theirs.readLock().tryLock(15, 15, TimeUnit.SECONDS));
    Await.until("it listens", () -> apps.listenersOf("redisson_rwlock:{" + NAME + "}") == 1);
    write.release();
    assertTrue(Apps.took(waits).compareTo(Apps.WELL_BEFORE) < 0);
    assertTrue(Await.value(waits));
    read.release();
  }

  @Test
  @DisplayName("A plain reader's renewal cuts a longer lease: so ours are not longer than that")
  void cutByAnother() throws Exception {
    RReadWriteLock theirs = theirs();
    assertTrue(theirs.readLock().tryLock(0, 20, TimeUnit.SECONDS));
    RedissonClient dying =
        apps.redisson(
            apps.server().uri(), config -> config.setLockWatchdogTimeout(WATCHDOG.toMillis()));
    dying.getReadWriteLock(NAME).readLock().lock();
    Await.until("it was renewed, and all with it", () -> apps.ttl(NAME) <= WATCHDOG.toMillis());
    dying.shutdown(0, 2, TimeUnit.SECONDS);
    Await.until("there seems to be no reader", () -> apps.ttl(NAME) == -2);
    assertTrue(theirs().writeLock().tryLock(), "mended there: lift the limit of ours");
  }
}
