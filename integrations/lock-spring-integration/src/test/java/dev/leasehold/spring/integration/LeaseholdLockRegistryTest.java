package dev.leasehold.spring.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** What Spring asks of its own registry on Redis. */
@DisplayName("Spring Integration's LockRegistry on Leasehold")
class LeaseholdLockRegistryTest {
  @AutoClose private static final RedisServer server = RedisServers.start();
  private static LockManager manager;
  private static LockManager other;
  private static LeaseholdLockRegistry registry;

  /** As another instance of the application has it. */
  private static LeaseholdLockRegistry elsewhere;

  private final String key = UUID.randomUUID().toString();

  @BeforeAll
  static void start() {
    LockSettings settings = LockSettings.of(Map.of("lock.redis.uri", server.uri()));
    manager = LockManager.open(settings);
    other = LockManager.open(settings);
    registry = new LeaseholdLockRegistry(manager, "registry:");
    elsewhere = new LeaseholdLockRegistry(other, "registry:");
  }

  @AfterAll
  static void stop() {
    manager.close();
    other.close();
  }

  /** Runs something in another thread, and returns what it gave or threw. */
  private static <T> T inAnother(Callable<T> task) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      return thread.submit(task).get(20, TimeUnit.SECONDS);
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  @DisplayName("A lock is held by one thread, re-enters, and excludes threads and instances")
  void exclusive() throws Exception {
    Lock lock = registry.obtain(key);
    lock.lock();
    lock.lockInterruptibly();
    assertTrue(registry.obtain(key).tryLock(), "another object of the same key re-enters, too");
    assertFalse(inAnother(() -> registry.obtain(key).tryLock()));
    assertFalse(elsewhere.obtain(key).tryLock());
    assertFalse(elsewhere.obtain(key).tryLock(2, TimeUnit.SECONDS));
    assertTrue(elsewhere.obtain(key + "-other").tryLock(), "another key is another lock");
    elsewhere.obtain(key + "-other").unlock();
    lock.unlock();
    lock.unlock();
    assertFalse(elsewhere.obtain(key).tryLock(), "two of three are given back");
    lock.unlock();
    assertTrue(elsewhere.obtain(key).tryLock());
    elsewhere.obtain(key).unlock();
  }

  @Test
  @DisplayName("Registries with other prefixes are apart")
  void prefixes() {
    LeaseholdLockRegistry apart = new LeaseholdLockRegistry(other, "apart:");
    registry.obtain(key).lock();
    assertTrue(apart.obtain(key).tryLock());
    apart.obtain(key).unlock();
    registry.obtain(key).unlock();
  }

  @Test
  @DisplayName("Only the owner unlocks")
  void owner() throws Exception {
    Lock lock = registry.obtain(key);
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
    lock.lock();
    inAnother(() -> assertThrows(IllegalMonitorStateException.class, lock::unlock));
    assertFalse(elsewhere.obtain(key).tryLock());
    lock.unlock();
  }

  @Test
  @DisplayName("A waiter gets the lock when it is released")
  void waits() throws Exception {
    Lock lock = registry.obtain(key);
    lock.lock();
    CountDownLatch waiting = new CountDownLatch(1);
    CompletableFuture<Boolean> got = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              waiting.countDown();
              Lock theirs = elsewhere.obtain(key);
              theirs.lock();
              got.complete(true);
              theirs.unlock();
            });
    waiter.start();
    assertTrue(waiting.await(20, TimeUnit.SECONDS));
    assertFalse(got.isDone());
    lock.unlock();
    assertTrue(got.get(20, TimeUnit.SECONDS));
    waiter.join(20_000);
  }

  @Test
  @DisplayName("A lost lock is reported at unlock, and another owner can acquire it")
  void lost() {
    Lock lock = registry.obtain(key);
    lock.lock();
    server.call("FLUSHALL");
    assertTrue(elsewhere.obtain(key).tryLock());
    Throwable told = assertThrows(IllegalMonitorStateException.class, lock::unlock);
    assertInstanceOf(LeaseLostException.class, told.getCause());
    assertFalse(registry.obtain(key).tryLock(), "the late unlock freed the other's");
    elsewhere.obtain(key).unlock();
  }

  @Test
  @DisplayName("A thread that lost its lock can lock again after it has unlocked the lost one")
  void lockedAnew() throws Exception {
    LockOptions brief = LockOptions.fixed(Duration.ofMillis(500));
    Lock lock = new LeaseholdLockRegistry(manager, "registry:", brief).obtain(key);
    lock.lock();
    assertTrue(elsewhere.obtain(key).tryLock(20, TimeUnit.SECONDS), "its lease is over");
    assertThrows(LeaseLostException.class, lock::lock);
    assertThrows(LeaseLostException.class, () -> lock.tryLock(1, TimeUnit.MILLISECONDS));
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
    elsewhere.obtain(key).unlock();
    assertTrue(lock.tryLock(20, TimeUnit.SECONDS));
    lock.unlock();
  }

  @Test
  @DisplayName("Renewal is for the owner: by the lease, or as long as asked")
  void renewed() throws Exception {
    LeaseholdLockRegistry fixed =
        new LeaseholdLockRegistry(
            manager, "registry:", LockOptions.builder().fixedLease(Duration.ofSeconds(20)).build());
    assertThrows(IllegalStateException.class, () -> fixed.renewLock(key));
    assertTrue(elsewhere.obtain(key).tryLock(), "asking for a renewal kept the lock");
    elsewhere.obtain(key).unlock();
    fixed.obtain(key).lock();
    fixed.renewLock(key);
    fixed.renewLock(key, Duration.ofMinutes(2));
    Duration left = other.lock("registry:" + key).inspect().orElseThrow().remaining();
    assertTrue(left.compareTo(Duration.ofSeconds(60)) > 0, () -> "it has " + left);
    inAnother(() -> assertThrows(IllegalStateException.class, () -> fixed.renewLock(key)));
    fixed.obtain(key).unlock();
    assertTrue(elsewhere.obtain(key).tryLock(), "the renewal left a hold behind");
    elsewhere.obtain(key).unlock();
  }

  @Test
  @DisplayName("The rightful holder renews, whatever number the server has for the lock")
  void renewedBesideALargerNumber() {
    registry.obtain(key).lock();
    // As on a quorum where a node voted late.
    server.call("SET", "lh:{registry:" + key + "}:fence", "9007199254740000");
    registry.renewLock(key);
    registry.renewLock(key, Duration.ofMinutes(2));
    assertTrue(left().compareTo(Duration.ofMinutes(1)) > 0, () -> "it has " + left());
    registry.obtain(key).unlock();
  }

  private Duration left() {
    return other.lock("registry:" + key).inspect().orElseThrow().remaining();
  }

  @Test
  @DisplayName("Without its own options a renewal uses the manager's lease")
  void renewedByTheManagersLease() {
    Duration full = Duration.ofMinutes(1);
    Map<String, String> fixed =
        Map.of("lock.redis.uri", server.uri(), "lock.lease", "1m", "lock.renewal", "fixed");
    try (LockManager brief = LockManager.open(LockSettings.of(fixed))) {
      LeaseholdLockRegistry own = new LeaseholdLockRegistry(brief, "registry:");
      own.obtain(key).lock();
      server.call("PEXPIRE", "lh:{registry:" + key + "}", "20000");
      Duration before = left();
      assertTrue(before.compareTo(Duration.ofSeconds(20)) <= 0, () -> "is " + before);
      own.renewLock(key);
      Duration after = left();
      Duration most = full.plusMillis(100); // a time to live is rounded up to whole milliseconds
      assertTrue(
          after.compareTo(full.minusSeconds(20)) > 0 && after.compareTo(most) <= 0,
          () -> "is " + after);
      own.obtain(key).unlock();
    }
  }

  @Test
  @DisplayName("Renewal needs no fencing tokens: in plain mode too, beside Spring's own registry")
  void renewedInPlainMode() {
    Map<String, String> plain =
        Map.of("lock.redis.uri", server.uri(), "lock.redis-set.mode", "plain");
    try (LockManager unfenced = LockManager.open(LockSettings.of(plain))) {
      LeaseholdLockRegistry own = new LeaseholdLockRegistry(unfenced, "registry:");
      assertThrows(IllegalStateException.class, () -> own.renewLock(key));
      own.obtain(key).lock();
      own.renewLock(key, Duration.ofMinutes(2));
      assertTrue(
          unfenced
                  .lock("registry:" + key)
                  .inspect()
                  .orElseThrow()
                  .remaining()
                  .compareTo(Duration.ofMinutes(1))
              > 0);
      own.obtain(key).unlock();
    }
  }

  @Test
  @DisplayName("Renewing a lost lock is an IllegalStateException, even if another owner has it")
  void renewedAfterALoss() {
    registry.obtain(key).lock();
    server.call("FLUSHALL");
    assertThrows(IllegalStateException.class, () -> registry.renewLock(key));
    assertTrue(elsewhere.obtain(key).tryLock());
    assertThrows(IllegalStateException.class, () -> registry.renewLock(key));
    assertThrows(IllegalStateException.class, () -> registry.renewLock(key, Duration.ofMinutes(1)));
    assertThrows(IllegalMonitorStateException.class, registry.obtain(key)::unlock);
    elsewhere.obtain(key).unlock();
  }

  @Test
  @DisplayName("executeLocked, with a time and without")
  void executes() throws Exception {
    assertEquals("done", registry.executeLocked(key, () -> "done"));
    Lock lock = registry.obtain(key);
    lock.lock();
    assertThrows(
        TimeoutException.class,
        () -> elsewhere.executeLocked(key, Duration.ofSeconds(2), () -> "not called"));
    lock.unlock();
  }

  @Test
  @DisplayName("A leader is elected on it; when it yields, the other instance leads")
  void election() throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    LockRegistryLeaderInitiator first = initiator(registry, "first", events);
    LockRegistryLeaderInitiator second = initiator(elsewhere, "second", events);
    first.start();
    assertEquals("first leads", events.poll(20, TimeUnit.SECONDS));
    CountDownLatch refused = new CountDownLatch(1);
    second.setPublishFailedEvents(true);
    second.setLeaderEventPublisher(
        new DefaultLeaderEventPublisher() {
          @Override
          public void publishOnFailedToAcquire(Object source, Context context, String role) {
            refused.countDown();
          }
        });
    second.start();
    assertTrue(refused.await(20, TimeUnit.SECONDS), "there is one leader");
    assertTrue(first.getContext().isLeader());
    assertTrue(events.isEmpty(), events::toString);
    first.stop();
    // It unlocks before it reports that.
    Set<String> change = new TreeSet<>();
    change.add(events.poll(20, TimeUnit.SECONDS));
    change.add(events.poll(20, TimeUnit.SECONDS));
    assertEquals(Set.of("first resigns", "second leads"), change);
    second.stop();
    assertEquals("second resigns", events.poll(20, TimeUnit.SECONDS));
  }

  private LockRegistryLeaderInitiator initiator(
      LeaseholdLockRegistry locks, String id, BlockingQueue<String> events) {
    LockRegistryLeaderInitiator initiator =
        new LockRegistryLeaderInitiator(
            locks,
            new DefaultCandidate(id, "role-" + key) {
              @Override
              public void onGranted(Context context) {
                events.add(id + " leads");
              }

              @Override
              public void onRevoked(Context context) {
                events.add(id + " resigns");
              }
            });
    initiator.setHeartBeatMillis(50);
    initiator.setBusyWaitMillis(10);
    return initiator;
  }
}
