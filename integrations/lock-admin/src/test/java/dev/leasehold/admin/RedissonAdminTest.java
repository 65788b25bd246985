package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

@DisplayName("On Redisson's keys")
class RedissonAdminTest extends OnOneServer {
  private static RedissonClient client;

  @BeforeAll
  static void connect() {
    Config config = new Config();
    config.useSingleServer().setAddress(server.uri()).setConnectionMinimumIdleSize(2);
    client = Redisson.create(config);
  }

  @AfterAll
  static void disconnect() {
    client.shutdown(0, 2, TimeUnit.SECONDS);
  }

  private static final String[] REDISSON = {"lock.backend", "redisson"};

  private LockAdmin redisson() {
    return admin(REDISSON);
  }

  private String field() {
    return client.getId() + ":" + Thread.currentThread().getId();
  }

  @Test
  @DisplayName("Plain and our own locks are listed and shown; an application's hashes are not")
  void listed() throws Exception {
    client.getLock("orders").lock();
    client.getReadWriteLock("page").readLock().lock();
    client.getReadWriteLock("book").writeLock().lock();
    Lease ours = process("one", REDISSON).lock("invoice").acquire();
    server.call("HSET", "user:1", "name", "x", "age", "7");
    server.call("HSET", "cart", field(), "not a count");
    server.call("HSET", "settings", "mode", "read");
    LockAdmin admin = redisson();
    Map<String, ListedLock> all =
        admin.list("*").stream().collect(Collectors.toMap(ListedLock::name, e -> e));
    assertEquals(Set.of("orders", "page", "book", "invoice"), all.keySet());
    assertEquals(KindOfLock.REDISSON_LOCK, all.get("orders").kind());
    ListedHold plain = all.get("orders").holds().get(0);
    assertEquals(field(), plain.holder());
    assertTrue(plain.fencingToken().isEmpty() && plain.since().isEmpty());
    assertTrue(plain.remaining().orElseThrow().toSeconds() >= 20, plain::toString);
    assertEquals(KindOfLock.REDISSON_READ_WRITE_LOCK, all.get("page").kind());
    assertEquals(Side.READ, all.get("page").holds().get(0).side());
    assertEquals(Side.WRITE, all.get("book").holds().get(0).side());
    ListedHold own = all.get("invoice").holds().get(0);
    assertEquals("one", own.holder());
    assertEquals(ours.fencingToken(), own.fencingToken().orElseThrow());
    assertEquals(1, admin.list("ord*").stream().count());
    client.getLock("orders").unlock();
    client.getReadWriteLock("page").readLock().unlock();
    client.getReadWriteLock("book").writeLock().unlock();
    ours.release();
    assertEquals(0, admin.list("*").stream().count());
  }

  @Test
  @DisplayName("A plain lock is broken only with the field that was listed; its waiter is notified")
  void broken() throws Exception {
    RLock lock = client.getLock("orders");
    lock.lock();
    LockAdmin admin = redisson();
    ListedHold seen = hold(admin, "orders");
    CompletableFuture<Long> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              client.getLock("orders").lock();
              return System.nanoTime();
            });
    Await.until(
        "it listens",
        () ->
            !((List<?>) server.call("PUBSUB", "CHANNELS", "redisson_lock__channel:*").orElseThrow())
                .isEmpty());
    long start = System.nanoTime();
    var broken = assertInstanceOf(BreakResult.Broken.class, admin.breakLock("orders", seen.id()));
    assertTrue(broken.wokeWaiter());
    Duration took = Duration.ofNanos(Await.value(waiting) - start);
    assertTrue(took.toMillis() < 2000, () -> "taken over after " + took);
    assertInstanceOf(BreakResult.HeldByAnother.class, admin.breakLock("orders", seen.id()));
    assertFalse(lock.isHeldByCurrentThread());
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
    server.call("DEL", "orders");
  }

  @Test
  @DisplayName("Gently, a plain lock is lost, and taken until its end")
  void gently() throws Exception {
    RLock lock = client.getLock("orders");
    LockAdmin admin = redisson(); // the first one loads its code
    lock.lock(5, TimeUnit.SECONDS);
    assertInstanceOf(
        BreakResult.Broken.class, admin.breakGently("orders", hold(admin, "orders").id()));
    assertEquals(HoldState.KEPT, hold(admin, "orders").state());
    assertEquals(field(), hold(admin, "orders").holder());
    assertFalse(lock.isHeldByCurrentThread());
    assertFalse(lock.tryLock());
    assertTrue(lock.tryLock(20, TimeUnit.SECONDS));
    lock.unlock();
  }

  @Test
  @DisplayName("A fair lock's queue is shown in order, and its first waiter is notified")
  void fair() throws Exception {
    client.getFairLock("orders").lock();
    String[] fair = {"lock.backend", "redisson", "lock.redisson.mode", "fair"};
    LockManager one = process("one", fair);
    LockAdmin admin = redisson();
    CompletableFuture<Lease> first = one.lock("orders").acquireAsync().toCompletableFuture();
    Await.until("it waits", () -> only(admin.show("orders")).waiters().size() == 1);
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(() -> client.getFairLock("orders").lock());
    Await.until("it waits", () -> only(admin.show("orders")).waiters().size() == 2);
    LockDetails shown = only(admin.show("orders"));
    assertEquals(KindOfLock.REDISSON_FAIR_LOCK, shown.entry().kind());
    assertEquals("one", shown.waiters().get(0).holder());
    assertTrue(shown.waiters().get(1).holder().startsWith(client.getId()), shown::toString);
    assertInstanceOf(
        BreakResult.Broken.class, admin.breakLock("orders", shown.entry().holds().get(0).id()));
    Await.value(first).release();
    Await.value(second);
    server.call("DEL", "orders");
  }

  @Test
  @DisplayName("Sides of a read/write lock are ended one by one")
  void sides() throws Exception {
    RReadWriteLock page = client.getReadWriteLock("page");
    page.readLock().lock();
    LockManager one = process("one", "lock.backend", "redisson", "lock.lease", "10s");
    Lease reader = one.readWriteLock("page").read().acquire();
    LockAdmin admin = redisson();
    assertEquals(2, only(admin.show("page")).entry().holds().size());
    ListedHold plain =
        only(admin.show("page")).entry().holds().stream()
            .filter(hold -> hold.holder().equals(field()))
            .findFirst()
            .orElseThrow();
    assertInstanceOf(BreakResult.NotPossible.class, admin.breakGently("page", plain.id()));
    assertInstanceOf(BreakResult.Broken.class, admin.breakLock("page", plain.id()));
    assertTrue(reader.extend(Duration.ofSeconds(29)));
    assertTrue(process("two", REDISSON).readWriteLock("page").write().tryAcquire().isEmpty());
    reader.release();
    Lease writer = one.readWriteLock("page").write().acquire();
    assertInstanceOf(BreakResult.Broken.class, admin.breakLock("page", hold(admin, "page").id()));
    assertFalse(writer.extend(Duration.ofSeconds(29)));
    page.writeLock().lock();
    page.writeLock().unlock();
    assertEquals(List.of(), admin.show("page"));
  }

  @Test
  @DisplayName("Maintenance is a hold that plain clients respect")
  void maintained() throws Exception {
    LockAdmin admin = redisson();
    Instant until = Instant.now().plus(Duration.ofHours(1));
    var taken =
        assertInstanceOf(MaintainResult.Taken.class, admin.maintain("orders", "restore", until));
    assertFalse(client.getLock("orders").tryLock());
    LockManager one = process("one", REDISSON);
    assertEquals(taken.hold().holder(), one.lock("orders").inspect().orElseThrow().holder());
    assertInstanceOf(MaintainResult.Refused.class, admin.maintain("orders", "restore", until));
    assertInstanceOf(BreakResult.Broken.class, admin.endMaintenance("orders"));
    Lease lease = one.lock("orders").acquire();
    assertTrue(lease.fencingToken() > taken.hold().fencingToken().orElseThrow());
  }

  @Test
  @DisplayName("Redisson's own file of settings is refused, naming the key")
  void file() {
    LockConfigurationException e =
        assertThrows(
            LockConfigurationException.class,
            () ->
                LockAdmin.open(
                    LockSettings.of(
                        Map.of("lock.backend", "redisson", "lock.redisson.config", "r.yaml"))));
    assertTrue(e.getMessage().contains("lock.redisson.config"), e::toString);
  }
}
