package dev.leasehold.spring.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** The way of docs/migration.md, beside real instances with Spring's own registry. */
@DisplayName("From RedisLockRegistry while instances of both versions run")
class RollingTest {
  private static final int SECTIONS = 15;
  private static final long PATIENCE_SECONDS = 60;

  private final String key = UUID.randomUUID().toString();
  private final List<AutoCloseable> open = new ArrayList<>();
  private RedisServer server;

  @BeforeEach
  void start() {
    server = closed(RedisServers.start());
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private <C extends AutoCloseable> C closed(C part) {
    open.add(part);
    return part;
  }

  private LockManager manager(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("lock.redis.uri", server.uri());
    return closed(LockManager.open(LockSettings.of(settings)));
  }

  private LockManager plain() {
    return manager(Map.of("lock.redis-set.mode", "plain"));
  }

  /** An instance of the version before. */
  private LockRegistry springs() {
    LettuceConnectionFactory connections =
        new LettuceConnectionFactory(server.host(), server.port());
    connections.afterPropertiesSet();
    closed(connections::destroy);
    RedisLockRegistry registry = new RedisLockRegistry(connections, "shop");
    closed(registry::destroy);
    return registry;
  }

  /** Step 1: their keys. */
  private LockRegistry onTheirKeys() {
    return new LeaseholdLockRegistry(plain(), "shop:");
  }

  /** Step 2: their keys, and then ours. */
  private LockRegistry onBoth() {
    LockManager plain = plain();
    LockManager fenced = manager(Map.of());
    return new LeaseholdLockRegistry(
        name -> DistributedLock.all(plain.lock("shop:" + name), fenced.lock("shop:" + name)));
  }

  /** Step 3: ours alone. */
  private LockRegistry onOurs() {
    return new LeaseholdLockRegistry(manager(Map.of()), "shop:");
  }

  /**
   * Instances contend until each has had the lock so many times, or two have had it at once; how
   * often that was.
   */
  private int overlaps(LockRegistry... instances) throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    AtomicInteger behind = new AtomicInteger(instances.length);
    ExecutorService threads = Executors.newFixedThreadPool(instances.length);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (LockRegistry instance : instances) {
        Lock lock = instance.obtain(key);
        all.add(
            threads.submit(
                () -> {
                  for (int had = 0; behind.get() > 0 && overlaps.get() == 0; ) {
                    if (!isTaken(lock)) {
                      continue;
                    }
                    if (inside.incrementAndGet() > 1) {
                      overlaps.incrementAndGet();
                    }
                    Thread.sleep(5); // the work
                    inside.decrementAndGet();
                    lock.unlock();
                    if (++had == SECTIONS) {
                      behind.decrementAndGet();
                    }
                    Thread.sleep(5); // others have their chance
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      return overlaps.get();
    } finally {
      threads.shutdownNow();
    }
  }

  /** A server that did not answer in time, which it may not on a busy machine, is a no. */
  private static boolean isTaken(Lock lock) throws InterruptedException {
    try {
      return lock.tryLock(2, TimeUnit.SECONDS);
    } catch (LockStoreException late) {
      return false;
    }
  }

  @Test
  @DisplayName("Step 1: theirs and ours on their keys exclude each other")
  void theirKeys() throws Exception {
    assertEquals(0, overlaps(springs(), springs(), onTheirKeys(), onTheirKeys()));
  }

  @Test
  @DisplayName("Step 2: ours on their keys, and ours on both")
  void both() throws Exception {
    assertEquals(0, overlaps(onTheirKeys(), onTheirKeys(), onBoth(), onBoth()));
  }

  @Test
  @DisplayName("Step 3: ours on both, and ours alone")
  void ours() throws Exception {
    assertEquals(0, overlaps(onBoth(), onBoth(), onOurs(), onOurs()));
  }

  @Test
  @DisplayName("The twins: a step that is left out has two at once")
  void leftOut() throws Exception {
    assertTrue(overlaps(springs(), onOurs()) > 0, "Spring's registry and ours alone");
    assertTrue(overlaps(onTheirKeys(), onOurs()) > 0, "their keys and ours alone");
  }

  @Test
  @DisplayName("On their keys our lock is theirs to see and to wait for, and the other way round")
  void oneLock() throws Exception {
    Lock theirs = springs().obtain(key);
    Lock ours = onTheirKeys().obtain(key);
    theirs.lock();
    assertFalse(ours.tryLock());
    theirs.unlock();
    ours.lock();
    assertTrue(server.call("EXISTS", "shop:" + key).orElseThrow().equals(1L));
    assertFalse(theirs.tryLock());
    ours.unlock();
    assertTrue(theirs.tryLock());
    theirs.unlock();
  }
}
