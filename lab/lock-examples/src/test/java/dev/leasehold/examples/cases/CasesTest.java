package dev.leasehold.examples.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Each example has its own servers and processes, whose start takes most of the time: so they run
 * in parallel.
 */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("The examples work, and their twins without the lock do not")
class CasesTest {
  @Test
  @DisplayName("One loader on a cache miss: one query, and many without the lock")
  void hotKey() throws Exception {
    assertEquals(1, HotKey.run(Mode.GUARDED));
    long without = HotKey.run(Mode.BARE);
    assertTrue(without > 10, () -> "without the lock only " + without);
  }

  @Test
  @DisplayName(
      "A holder that was paused past its lease is refused; without tokens an update is lost")
  void fencedTable() throws Exception {
    assertEquals(new FencedTable.Outcome("refused", 10), FencedTable.run(Mode.GUARDED));
    assertEquals(new FencedTable.Outcome("written", 1), FencedTable.run(Mode.BARE));
  }

  @Test
  @DisplayName(
      "A job on three instances whose clocks are apart runs once each time; again and again where"
          + " the lock is just released, and three times without one")
  void scheduledJob() throws Exception {
    // Each way has its own servers and processes: in parallel they take as long as one.
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      var atLeast = threads.submit(() -> ScheduledJob.run(ScheduledJob.Way.AT_LEAST));
      var released = threads.submit(() -> ScheduledJob.run(ScheduledJob.Way.RELEASED));
      var bare = threads.submit(() -> ScheduledJob.run(ScheduledJob.Way.BARE));
      assertEquals(new ScheduledJob.Outcome(4, 4, 1), atLeast.get());
      long runs = released.get().runs();
      assertTrue(runs > 4, () -> "with a lock that is just released only " + runs);
      assertEquals(new ScheduledJob.Outcome(4, 12, 3), bare.get());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @DisplayName(
      "Readers of a catalogue read at once and see whole editions; with a plain lock they read one"
          + " by one, and without a lock some see parts of two")
  void catalogue() throws Exception {
    Catalogue.Outcome shared = Catalogue.run(Catalogue.Way.READ_WRITE_LOCK);
    assertEquals(0, shared.torn());
    assertTrue(shared.atOnce() > 1, "one by one, as with a plain lock");
    assertEquals(new Catalogue.Outcome(0, 1), Catalogue.run(Catalogue.Way.LOCK));
    Catalogue.Outcome without = Catalogue.run(Catalogue.Way.BARE);
    assertTrue(without.torn() > 0, () -> "without the lock only " + without);
    assertTrue(without.atOnce() > 1, "as the readers come");
  }

  @Test
  @DisplayName("Three exports at a time, also when one is killed; all four without the semaphore")
  void exports() throws Exception {
    assertEquals(new Exports.Outcome(3, 3), Exports.run(Mode.GUARDED));
    assertEquals(new Exports.Outcome(4, 3), Exports.run(Mode.BARE));
  }

  @Test
  @DisplayName("A report of all branches, also when one is late; without the latch it is of one")
  void monthlyReport() throws Exception {
    assertEquals(new MonthlyReport.Outcome(1, 2), MonthlyReport.run());
  }

  @Test
  @DisplayName(
      "A service installed twice runs once, also when its leader is stopped and wakes; without an"
          + " election both run")
  void singletonService() throws Exception {
    assertEquals(new SingletonService.Outcome(2, 1), SingletonService.run(Mode.GUARDED));
    long without = SingletonService.run(Mode.BARE).handOvers();
    assertTrue(without > 2, () -> "without an election only " + without);
  }

  @Test
  @DisplayName(
      "Transfers in opposite directions all succeed with both locks at once; tellers that take"
          + " one after the other deadlock, and without locks bookings are lost")
  void transfer() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      var all = threads.submit(() -> Transfer.run(Transfer.Way.ALL));
      var oneByOne = threads.submit(() -> Transfer.run(Transfer.Way.ONE_BY_ONE));
      assertEquals(new Transfer.Outcome(4L * Transfer.TIMES, 1000, 1000, false), all.get());
      assertTrue(oneByOne.get().standStill());
      long bare = Transfer.run(Transfer.Way.BARE).bookings();
      assertTrue(bare < 4L * Transfer.TIMES, () -> "without locks all of " + bare);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @DisplayName("Two tills sell what is in stock, and more than that with separate ReentrantLocks")
  void dropIn() throws Exception {
    assertEquals(DropIn.STOCK, DropIn.run(Mode.GUARDED));
    int without = DropIn.run(Mode.BARE);
    assertTrue(without > DropIn.STOCK, () -> "without the lock only " + without);
  }

  @Test
  @DisplayName(
      "A drop-in lets others be, where a ReentrantLock knows of none; it has no conditions")
  void quiet(@TempDir Path folder) throws Exception {
    Path stock = folder.resolve("stock");
    DropIn.write(stock, 2);
    try (RedisServer redis = RedisServers.start();
        LockManager here = open(redis);
        LockManager there = open(redis)) {
      Lock lock = here.lock("stock").asLock();
      try (Lease lease = there.lock("stock").acquire()) {
        assertTrue(lease.isValid());
        assertFalse(new DropIn(lock, stock).takeIfQuiet(1, 50), "another worker is at it");
        assertTrue(new DropIn(new ReentrantLock(), stock).takeIfQuiet(1, 50));
      }
      assertTrue(new DropIn(lock, stock).takeIfQuiet(1, 1000));
      assertFalse(new DropIn(lock, stock).takeIfQuiet(1, 1000), "nothing is left");
      assertThrows(UnsupportedOperationException.class, lock::newCondition);
    }
  }

  private static LockManager open(RedisServer redis) {
    return LockManager.open(
        LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", redis.uri())));
  }
}
