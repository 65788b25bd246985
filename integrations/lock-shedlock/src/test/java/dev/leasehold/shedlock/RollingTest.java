package dev.leasehold.shedlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The way of docs/migration.md, beside real instances with ShedLock's own provider. */
@DisplayName("From ShedLock's keys on Redis while instances of both versions run")
class RollingTest {
  private static final int SECTIONS = 15;
  private static final long PATIENCE_SECONDS = 60;

  private final String name = UUID.randomUUID().toString();
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

  /** An instance of the version before, as most have it: it does not compare before it deletes. */
  private LockProvider shedLocks() {
    LettuceConnectionFactory connections =
        new LettuceConnectionFactory(server.host(), server.port());
    connections.afterPropertiesSet();
    closed(connections::destroy);
    return new RedisLockProvider.Builder(connections).environment("prod").build();
  }

  /** Step 1: their keys. */
  private LockProvider onTheirKeys() {
    LockManager plain = plain();
    return new LeaseholdLockProvider((job, options) -> plain.lock("job-lock:prod:" + job, options));
  }

  /** Step 2: their keys, and then ours. */
  private LockProvider onBoth() {
    LockManager plain = plain();
    LockManager fenced = manager(Map.of());
    return new LeaseholdLockProvider(
        (job, options) ->
            DistributedLock.all(
                plain.lock("job-lock:prod:" + job, options), fenced.lock(job, options)));
  }

  /** Step 3: ours alone. */
  private LockProvider onOurs() {
    return new LeaseholdLockProvider(manager(Map.of()));
  }

  private LockConfiguration job(Duration atLeast) {
    return new LockConfiguration(ClockProvider.now(), name, Duration.ofMinutes(5), atLeast);
  }

  /**
   * Instances contend until each has had the lock so many times, or two have had it at once; how
   * often that was.
   */
  private int overlaps(LockProvider... instances) throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    AtomicInteger behind = new AtomicInteger(instances.length);
    ExecutorService threads = Executors.newFixedThreadPool(instances.length);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (LockProvider instance : instances) {
        all.add(
            threads.submit(
                () -> {
                  for (int had = 0; behind.get() > 0 && overlaps.get() == 0; ) {
                    Optional<SimpleLock> lock = instance.lock(job(Duration.ZERO));
                    if (lock.isEmpty()) {
                      Thread.sleep(1); // its next tick
                      continue;
                    }
                    if (inside.incrementAndGet() > 1) {
                      overlaps.incrementAndGet();
                    }
                    Thread.sleep(5); // the work
                    inside.decrementAndGet();
                    lock.get().unlock();
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

  @Test
  @DisplayName("Step 1: theirs and ours on their keys exclude each other")
  void theirKeys() throws Exception {
    assertEquals(0, overlaps(shedLocks(), shedLocks(), onTheirKeys(), onTheirKeys()));
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
    assertTrue(overlaps(shedLocks(), onOurs()) > 0, "ShedLock's provider and ours alone");
    assertTrue(overlaps(onTheirKeys(), onOurs()) > 0, "their keys and ours alone");
  }

  @Test
  @DisplayName("lockAtLeastFor holds for the other version, too, whichever ran the job")
  void atLeast() {
    LockProvider theirs = shedLocks();
    LockProvider ours = onTheirKeys();
    LockProvider both = onBoth();
    LockProvider alone = onOurs();
    Duration tick = Duration.ofMinutes(1);
    theirs.lock(job(tick)).orElseThrow().unlock();
    assertTrue(ours.lock(job(tick)).isEmpty() && both.lock(job(tick)).isEmpty());
    server.call("FLUSHALL");
    ours.lock(job(tick)).orElseThrow().unlock();
    assertTrue(theirs.lock(job(tick)).isEmpty() && both.lock(job(tick)).isEmpty());
    server.call("FLUSHALL");
    both.lock(job(tick)).orElseThrow().unlock();
    assertTrue(theirs.lock(job(tick)).isEmpty() && ours.lock(job(tick)).isEmpty());
    assertTrue(alone.lock(job(tick)).isEmpty());
    server.call("FLUSHALL");
    alone.lock(job(tick)).orElseThrow().unlock();
    assertTrue(both.lock(job(tick)).isEmpty());
    assertTrue(ours.lock(job(tick)).isPresent(), "what the refused one took it has given back");
  }

  @Test
  @DisplayName("A lock on both is extended on both, and says which token is whose")
  void extended() {
    LockProvider both = onBoth();
    LeaseholdLock held =
        (LeaseholdLock)
            both.lock(
                    new LockConfiguration(
                        ClockProvider.now(), name, Duration.ofSeconds(20), Duration.ZERO))
                .orElseThrow();
    SimpleLock longer = held.extend(Duration.ofMinutes(5), Duration.ZERO).orElseThrow();
    assertTrue(held.lease().remaining().compareTo(Duration.ofMinutes(4)) > 0);
    long ttl = (Long) server.call("PTTL", "job-lock:prod:" + name).orElseThrow();
    assertTrue(ttl > 240_000, () -> "their key lasts for " + ttl + " ms");
    assertTrue(held.lease().parts().get(1).fencingToken() > 0);
    longer.unlock();
    assertEquals(0L, server.call("EXISTS", "job-lock:prod:" + name).orElseThrow());
    assertTrue(onOurs().lock(job(Duration.ZERO)).isPresent());
  }
}
