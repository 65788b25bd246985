package dev.leasehold.examples.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The examples do what they say, and their twins without the lock do not")
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
  @DisplayName("A job on three instances runs once each time, and three times without the lock")
  void scheduledJob() throws Exception {
    assertEquals(new ScheduledJob.Outcome(8, 8, 1), ScheduledJob.run(Mode.GUARDED));
    assertEquals(new ScheduledJob.Outcome(8, 24, 3), ScheduledJob.run(Mode.BARE));
  }

  @Test
  @DisplayName("A drop-in for ReentrantLock excludes other managers, and has no conditions")
  void dropIn() throws Exception {
    try (RedisServer redis = RedisServers.start();
        LockManager here = open(redis);
        LockManager there = open(redis)) {
      Lock lock = here.lock("stock").asLock();
      DropIn stock = new DropIn(lock, 100);
      List<CompletableFuture<Integer>> buyers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        buyers.add(CompletableFuture.supplyAsync(() -> bought(stock)));
      }
      int bought = buyers.stream().mapToInt(CompletableFuture::join).sum();
      assertEquals(100, bought);
      assertEquals(0, stock.stock());
      try (Lease lease = there.lock("stock").acquire()) {
        assertTrue(lease.isValid());
        assertEquals(false, stock.takeIfQuiet(0, 50), "somebody else is at it");
      }
      assertTrue(stock.takeIfQuiet(0, 1000));
      assertThrows(UnsupportedOperationException.class, lock::newCondition);
    }
  }

  private static int bought(DropIn stock) {
    int pieces = 0;
    while (stock.take(1)) {
      pieces++;
    }
    return pieces;
  }

  private static LockManager open(RedisServer redis) {
    return LockManager.open(
        LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", redis.uri())));
  }
}
