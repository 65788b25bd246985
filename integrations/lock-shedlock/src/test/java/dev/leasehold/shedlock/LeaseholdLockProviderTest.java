package dev.leasehold.shedlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What ShedLock asks of each of its providers. */
@DisplayName("ShedLock's LockProvider on Leasehold")
class LeaseholdLockProviderTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(300);

  @AutoClose private static final RedisServer server = RedisServers.start();
  private static LockManager manager;
  private static LockManager other;
  private static LeaseholdLockProvider provider;

  /** As another instance of the application has it. */
  private static LeaseholdLockProvider elsewhere;

  private final String name = "job-" + UUID.randomUUID();

  @BeforeAll
  static void start() {
    LockSettings settings = LockSettings.of(Map.of("lock.redis.uri", server.uri()));
    manager = LockManager.open(settings);
    other = LockManager.open(settings);
    provider = new LeaseholdLockProvider(manager);
    elsewhere = new LeaseholdLockProvider(other);
  }

  @AfterAll
  static void stop() {
    manager.close();
    other.close();
  }

  private LockConfiguration configuration(Duration atMost, Duration atLeast) {
    return new LockConfiguration(ClockProvider.now(), name, atMost, atLeast);
  }

  private LockConfiguration configuration() {
    return configuration(LONG, Duration.ZERO);
  }

  /** Polls as jobs do, until it is granted. */
  private SimpleLock granted(LockConfiguration configuration) {
    return granted(elsewhere, configuration);
  }

  private static SimpleLock granted(LockProvider provider, LockConfiguration configuration) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (System.nanoTime() < end) {
      try {
        Optional<SimpleLock> lock = provider.lock(configuration);
        if (lock.isPresent()) {
          return lock.get();
        }
      } catch (LockStoreException e) {
        // A busy machine may not answer within a short command timeout. The next try shows it.
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("not granted");
  }

  @Test
  @DisplayName("A lock is given once: not to another instance, nor again to the same thread")
  void once() {
    SimpleLock lock = provider.lock(configuration()).orElseThrow();
    assertTrue(elsewhere.lock(configuration()).isEmpty());
    assertTrue(provider.lock(configuration()).isEmpty(), "it re-entered");
    lock.unlock();
    SimpleLock again = elsewhere.lock(configuration()).orElseThrow();
    again.unlock();
  }

  @Test
  @DisplayName("It ends by lockAtMostFor; a late unlock frees no one else's")
  void atMost() {
    SimpleLock first = provider.lock(configuration(SHORT, Duration.ZERO)).orElseThrow();
    SimpleLock second = granted(configuration());
    first.unlock();
    assertTrue(provider.lock(configuration()).isEmpty(), "the late unlock freed the other's");
    second.unlock();
  }

  @Test
  @DisplayName("A lockAtMostFor of nothing is the shortest lease")
  void shortest() {
    // On a busy machine so short a lease may be over when its grant arrives: nothing is taken here.
    assertEquals(
        LockOptions.SHORTEST_LEASE,
        LeaseholdLockProvider.atMost(configuration(Duration.ZERO, Duration.ZERO)));
    assertEquals(SHORT, LeaseholdLockProvider.atMost(configuration(SHORT, Duration.ZERO)));
  }

  @Test
  @DisplayName("It stays taken for lockAtLeastFor, and no longer")
  void atLeast() {
    long began = System.nanoTime();
    provider.lock(configuration(LONG, SHORT)).orElseThrow().unlock();
    freeAfterShort(began);
  }

  /** Not sooner, and long before {@link #LONG} is over. */
  private void freeAfterShort(long began) {
    granted(configuration()).unlock();
    long taken = System.nanoTime() - began;
    assertTrue(taken >= SHORT.toNanos() - 20_000_000, () -> "free after " + taken + " ns");
  }

  @Test
  @DisplayName("Any thread may unlock, once")
  void anyThread() throws Exception {
    SimpleLock lock = provider.lock(configuration()).orElseThrow();
    Thread thread = new Thread(lock::unlock);
    thread.start();
    thread.join(20_000);
    assertThrows(IllegalStateException.class, lock::unlock);
    elsewhere.lock(configuration()).orElseThrow().unlock();
  }

  @Test
  @DisplayName("It can be extended repeatedly; the old handle can't be used any more")
  void extended() {
    Duration minute = Duration.ofMinutes(1);
    SimpleLock lock = provider.lock(configuration(minute, Duration.ZERO)).orElseThrow();
    SimpleLock longer = lock.extend(minute.multipliedBy(2), Duration.ZERO).orElseThrow();
    assertTrue(((LeaseholdLock) longer).lease().remaining().compareTo(minute) > 0);
    assertThrows(IllegalStateException.class, lock::unlock);
    assertThrows(IllegalStateException.class, () -> lock.extend(LONG, Duration.ZERO));
    SimpleLock longest = longer.extend(LONG, Duration.ZERO).orElseThrow();
    Duration remaining = ((LeaseholdLock) longest).lease().remaining();
    assertTrue(remaining.compareTo(minute.multipliedBy(2)) > 0, remaining::toString);
    assertTrue(elsewhere.lock(configuration()).isEmpty());
    longest.unlock();
    elsewhere.lock(configuration()).orElseThrow().unlock();
  }

  @Test
  @DisplayName("An extension has a minimum hold, too")
  void extendedAtLeast() {
    SimpleLock lock = provider.lock(configuration()).orElseThrow();
    long began = System.nanoTime();
    lock.extend(LONG, SHORT).orElseThrow().unlock();
    freeAfterShort(began);
  }

  @Test
  @DisplayName("An unlocked or expired lock can't be extended")
  void notExtended() {
    SimpleLock unlocked = provider.lock(configuration()).orElseThrow();
    unlocked.unlock();
    assertThrows(IllegalStateException.class, () -> unlocked.extend(LONG, Duration.ZERO));
    SimpleLock ended = provider.lock(configuration(SHORT, Duration.ZERO)).orElseThrow();
    SimpleLock next = granted(configuration());
    assertTrue(ended.extend(LONG, Duration.ZERO).isEmpty());
    next.unlock();
  }

  @Test
  @DisplayName("An extension outlives a store that is away; it is empty when the lease is over")
  void extendedThroughAnOutage() throws Exception {
    RedisServer away = RedisServers.start();
    try (LockManager onAway =
        LockManager.open(
            LockSettings.of(
                Map.of("lock.redis.uri", away.uri(), "lock.command-timeout", "200ms")))) {
      LockProvider own = new LeaseholdLockProvider(onAway);
      SimpleLock lock = granted(own, configuration());
      away.pause();
      CompletableFuture<Optional<SimpleLock>> extension =
          CompletableFuture.supplyAsync(() -> lock.extend(LONG.multipliedBy(2), Duration.ZERO));
      assertThrows(TimeoutException.class, () -> extension.get(600, TimeUnit.MILLISECONDS));
      away.resume();
      extension.get(20, TimeUnit.SECONDS).orElseThrow().unlock();

      SimpleLock brief = granted(own, configuration(Duration.ofSeconds(3), Duration.ZERO));
      away.pause();
      assertTrue(brief.extend(LONG, Duration.ZERO).isEmpty());
      away.resume();
    } finally {
      away.close();
    }
  }

  /** Its periods go by when the test says so. */
  private static final class Periods extends ScheduledThreadPoolExecutor {
    Runnable period = () -> {};

    Periods() {
      super(1);
      setRemoveOnCancelPolicy(true);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(
        Runnable command, long first, long period, TimeUnit unit) {
      this.period = command;
      return super.scheduleAtFixedRate(command, 1, 1, TimeUnit.DAYS);
    }
  }

  @Test
  @DisplayName("ShedLock's KeepAliveLockProvider extends it, and stops when it is lost")
  void keptAlive() {
    Periods periods = new Periods();
    try {
      SimpleLock lock =
          new KeepAliveLockProvider(provider, periods)
              .lock(configuration(LONG, Duration.ZERO))
              .orElseThrow();
      String key = "lh:{" + name + "}";
      server.call("PEXPIRE", key, "60000");
      assertTrue(manager.lock(name).inspect().orElseThrow().remaining().compareTo(LONG) < 0);
      periods.period.run();
      Duration extended = manager.lock(name).inspect().orElseThrow().remaining();
      assertTrue(extended.compareTo(Duration.ofMinutes(1)) > 0, extended::toString);
      assertEquals(1, periods.getQueue().size());
      server.call("DEL", key);
      SimpleLock theirs = granted(configuration());
      periods.period.run();
      assertEquals(0, periods.getQueue().size(), "it extends no more");
      // As each of ShedLock's locks after an extension that it did not get.
      assertThrows(IllegalStateException.class, lock::unlock);
      assertTrue(provider.lock(configuration()).isEmpty(), "theirs is not freed");
      theirs.unlock();
      provider.lock(configuration()).orElseThrow().unlock();
    } finally {
      periods.shutdownNow();
    }
  }

  @Test
  @DisplayName("Each lock has a larger fencing token than the one before")
  void fenced() {
    LeaseholdLock first = (LeaseholdLock) provider.lock(configuration()).orElseThrow();
    first.unlock();
    LeaseholdLock second = (LeaseholdLock) elsewhere.lock(configuration()).orElseThrow();
    assertTrue(second.lease().fencingToken() > first.lease().fencingToken());
    second.unlock();
  }

  @Test
  @DisplayName("An unreachable store is reported, and the job does not run")
  void unreachable() {
    RedisServer gone = RedisServers.start();
    try (LockManager onGone =
        LockManager.open(
            LockSettings.of(
                Map.of("lock.redis.uri", gone.uri(), "lock.command-timeout", "200ms")))) {
      LockProvider lost = new LeaseholdLockProvider(onGone);
      gone.close();
      assertThrows(
          LockStoreException.class,
          () ->
              new DefaultLockingTaskExecutor(lost)
                  .executeWithLock(
                      (Runnable)
                          () -> {
                            throw new AssertionError("it ran");
                          },
                      configuration()));
    }
  }

  @Test
  @DisplayName("Instances that count without atomics lose nothing; without locks they do")
  void exclusion() throws Exception {
    assertEquals(200, counted(List.of(provider, elsewhere)));
    LockProvider none = configuration -> Optional.of(() -> {});
    int counted = 200;
    for (int i = 0; i < 50 && counted == 200; i++) {
      counted = counted(List.of(none, none));
    }
    assertTrue(counted < 200, "without locks nothing was lost, so this proves nothing");
  }

  private int counter;

  private int counted(List<LockProvider> providers) throws Exception {
    counter = 0;
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      CountDownLatch start = new CountDownLatch(4);
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        LockProvider own = providers.get(t % providers.size());
        running.add(
            pool.submit(
                () -> {
                  start.countDown();
                  start.await();
                  for (int i = 0; i < 50; ) {
                    Optional<SimpleLock> lock = own.lock(configuration());
                    if (lock.isPresent()) {
                      int before = counter;
                      Thread.yield();
                      counter = before + 1;
                      lock.get().unlock();
                      i++;
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    return counter;
  }
}
