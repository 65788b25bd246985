package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.methods.LockMode;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;

@DisplayName("With leasehold.open = lazy")
class LazyTest {
  private static final List<String> LAZY =
      List.of("leasehold.open=lazy", "leasehold.locks.stock.name=shop:stock");

  @AutoClose private static final RedisServer server = RedisServers.start();

  /** Keeps locks from the start on, as applications do. */
  static class Shop {
    private final DistributedLock orders;
    private final DistributedLock reads;
    private final DistributedLock stock;

    Shop(LockManager locks, @Qualifier("stock") DistributedLock stock) {
      this.orders = locks.lock("orders");
      this.reads = locks.readWriteLock("page").read();
      this.stock = stock;
    }
  }

  /** A method that takes a side, which a manager may not have. */
  static class Reader {
    @Locked(name = "page", mode = LockMode.READ)
    public void read() {}
  }

  @Test
  @DisplayName("an application starts without Redis, and its locks work when Redis is there")
  void withoutRedis() throws Exception {
    try (RedisServer late = RedisServers.start()) {
      late.kill();
      try (ConfigurableApplicationContext context =
          Apps.start(late, LAZY, Shop.class, Reader.class)) {
        Shop shop = context.getBean(Shop.class);
        Reader reader = context.getBean(Reader.class);
        LockStoreException refused =
            assertThrows(LockStoreException.class, () -> shop.orders.tryAcquire());
        assertTrue(refused.getMessage().contains("127.0.0.1:" + late.port()), refused.getMessage());
        assertThrows(
            LockStoreException.class, () -> shop.orders.tryAcquire(Duration.ofMillis(300)));
        assertThrows(LockStoreException.class, reader::read);
        CompletableFuture<Lease> failed = shop.orders.acquireAsync().toCompletableFuture();
        assertInstanceOf(
            LockStoreException.class,
            assertThrows(CompletionException.class, failed::join).getCause());
        assertTrue(Apps.health(context).toString().contains("DOWN"));
        late.restart(RedisServer.Data.LOSE);
        Await.until("they are open", () -> isGranted(shop.orders));
        try (Lease one = shop.orders.tryAcquire().orElseThrow();
            Lease two = shop.reads.acquire();
            Lease three = shop.stock.acquireAsync().toCompletableFuture().join()) {
          assertTrue(one.isValid() && two.isValid() && three.isValid());
          assertTrue(String.valueOf(late.call("KEYS", "*")).contains("lh:{shop:stock}"));
        }
        reader.read();
        assertTrue(Apps.health(context).toString().contains("UP"));
      }
    }
  }

  private static boolean isGranted(DistributedLock lock) {
    try {
      lock.tryAcquire().orElseThrow().release();
      return true;
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  @Test
  @DisplayName("nothing connects before the first use, and equal names are equal locks")
  void firstUse() throws Exception {
    try (ConfigurableApplicationContext context = Apps.start(server, LAZY, Shop.class)) {
      LockManager locks = context.getBean(LockManager.class);
      DistributedLock lock = locks.lock("x");
      DistributedReadWriteLock sides = locks.readWriteLock("x");
      assertEquals("x", lock.name());
      assertEquals(lock, locks.lock("x"));
      assertEquals(lock.hashCode(), locks.lock("x").hashCode());
      assertNotEquals(lock, locks.lock("y"));
      assertNotEquals(sides.read(), sides.write());
      assertEquals(List.of(), Apps.connections(server));
      CompletableFuture<Lease> later = lock.acquireAsync().toCompletableFuture();
      try (Lease lease = Await.value(later)) {
        assertTrue(lease.isValid());
        assertTrue(lock.as(LockOwner.unique("b")).tryAcquire().isEmpty());
        assertTrue(Apps.connections(server).contains("the-application"));
      }
      locks.close();
      assertThrows(LockManagerClosedException.class, () -> lock.tryAcquire());
    }
  }

  @Test
  @DisplayName("a manager that was never used is closed without being opened")
  void neverUsed() {
    LockManager locks;
    try (ConfigurableApplicationContext context = Apps.start(server, LAZY, Shop.class)) {
      locks = context.getBean(LockManager.class);
    }
    assertThrows(LockManagerClosedException.class, () -> locks.lock("x").tryAcquire());
    assertEquals(List.of(), Apps.connections(server));
  }

  @Test
  @DisplayName("settings are still checked at the start; and another word is refused")
  void wrong() {
    List<String> properties =
        List.of("leasehold.open=lazy", "leasehold.lease=5 parsecs", "leasehold.enabled=true");
    Exception failure = assertThrows(Exception.class, () -> Apps.start(server, properties).close());
    FailureAnalysis analysis = Apps.analysis(failure, properties);
    assertTrue(analysis.getDescription().contains("5 parsecs"), analysis.getDescription());
    Exception word =
        assertThrows(
            Exception.class, () -> Apps.start(server, List.of("leasehold.open=later")).close());
    String text = Apps.analysis(word, List.of()).getDescription();
    assertTrue(text.contains("leasehold.open = 'later' ("), text);
    assertTrue(text.contains("expected: one of start, lazy"), text);
  }
}
