package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.LONG;
import static dev.leasehold.redisson.Apps.PATIENT;
import static dev.leasehold.redisson.Apps.WELL_BEFORE;
import static dev.leasehold.redisson.Apps.took;
import static dev.leasehold.testkit.TestThreads.onThread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.NameMapper;

@DisplayName("A lock that is shared with plain RLocks")
class RLockTest {
  private static final String NAME = "shared";
  private static final int TURNS = 40;

  private final Apps apps = new Apps();
  private final RedissonClient plain = apps.redisson();
  private final RLock theirs = plain.getLock(NAME);
  private final RedissonClient client = apps.redisson();
  private final LockManager manager = apps.ours(client, RedissonMode.PLAIN);
  private final DistributedLock ours = manager.lock(NAME, PATIENT);

  @AfterEach
  void close() {
    apps.close();
  }

  @Test
  @DisplayName("Ours excludes theirs, and our release wakes theirs")
  void oursExcludesTheirs() throws Exception {
    Lease lease = ours.acquire();
    assertFalse(theirs.tryLock());
    assertTrue(theirs.isLocked());
    assertFalse(theirs.isHeldByCurrentThread());
    CompletableFuture<Boolean> waiting =
        onThread(() -> theirs.tryLock(LONG.toMillis(), TimeUnit.MILLISECONDS));
    Await.until("it listens", () -> apps.listeners(NAME) == 1);
    assertFalse(waiting.isDone());
    lease.release();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    assertTrue(Await.value(waiting));
  }

  @Test
  @DisplayName("A minimum hold excludes theirs after our release, and they get in when it is over")
  void minimumHold() throws Exception {
    LockOptions job = LockOptions.builder().atLeast(Duration.ofSeconds(2)).build();
    long before = System.nanoTime();
    manager.lock(NAME, job).acquire().release();
    assertFalse(theirs.tryLock());
    assertTrue(theirs.isLocked());
    assertThrows(IllegalMonitorStateException.class, theirs::unlock);
    assertTrue(theirs.tryLock(LONG.toMillis(), TimeUnit.MILLISECONDS));
    Duration passed = Duration.ofNanos(System.nanoTime() - before);
    assertTrue(passed.compareTo(Duration.ofSeconds(2)) >= 0, passed::toString);
    assertTrue(passed.compareTo(WELL_BEFORE) < 0, passed::toString);
    theirs.unlock();
  }

  @Test
  @DisplayName("Theirs excludes ours, and their unlock wakes ours")
  void theirsExcludesOurs() {
    theirs.lock();
    assertEquals(Optional.empty(), ours.tryAcquire());
    CompletableFuture<Lease> waiting = ours.acquireAsync().toCompletableFuture();
    Await.until("it listens", () -> apps.listeners(NAME) == 1);
    assertFalse(waiting.isDone());
    theirs.unlock();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    assertFalse(theirs.tryLock());
    Await.value(waiting).release();
    assertTrue(theirs.tryLock());
  }

  @Test
  @DisplayName(
      "A plain RLock of our own client that stops waiting does not take our messages along")
  void subscriptionsAreShared() throws Exception {
    theirs.lock();
    CompletableFuture<Lease> waiting = ours.acquireAsync().toCompletableFuture();
    Await.until("it listens", () -> apps.listeners(NAME) == 1);
    assertFalse(client.getLock(NAME).tryLock(100, TimeUnit.MILLISECONDS));
    theirs.unlock();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    Await.value(waiting).release();
  }

  @Test
  @DisplayName("An inspection of their lock shows its holder, and no token of ours")
  void inspected() throws Exception {
    try (Lease lease = ours.acquire()) {
      assertEquals(lease.fencingToken(), ours.inspect().orElseThrow().fencingToken().orElseThrow());
    }
    theirs.lock();
    HolderInfo told = ours.inspect().orElseThrow();
    assertTrue(told.fencingToken().isEmpty(), told::toString);
    assertFalse(told.holder().isBlank());
    theirs.unlock();
  }

  @Test
  @DisplayName("On the server it is theirs, field for field, but for whose it is")
  void sameFormat() throws Exception {
    theirs.lock(LONG.toMillis(), TimeUnit.MILLISECONDS);
    Object type = apps.server().call("TYPE", NAME).orElseThrow();
    List<?> their = (List<?>) apps.server().call("HGETALL", NAME).orElseThrow();
    theirs.unlock();
    try (Lease lease = ours.acquire();
        Lease again = ours.acquire()) {
      assertEquals(type, apps.server().call("TYPE", NAME).orElseThrow());
      List<?> own = (List<?>) apps.server().call("HGETALL", NAME).orElseThrow();
      assertEquals(2, again.holdCount());
      assertEquals(List.of(2, "1"), List.of(own.size(), own.get(1)));
      assertEquals(List.of(2, "1"), List.of(their.size(), their.get(1)));
      assertTrue(own.get(0).toString().matches("[^:]+:[^:]+"), own.get(0).toString());
      assertTrue(apps.ttl(NAME) > lease.remaining().toMillis());
    }
    assertEquals(0L, apps.server().call("EXISTS", NAME).orElseThrow());
  }

  @Test
  @DisplayName("inspect() sees a plain holder")
  void inspectSeesThem() {
    theirs.lock();
    HolderInfo seen = ours.inspect().orElseThrow();
    Object field = ((List<?>) apps.server().call("HKEYS", NAME).orElseThrow()).get(0);
    assertTrue(field.toString().startsWith(seen.holder().replace("…", "")), seen.holder());
    assertTrue(seen.remaining().toSeconds() > 25, seen.toString());
    theirs.unlock();
    assertEquals(Optional.empty(), ours.inspect());
  }

  @Test
  @DisplayName("Four of each kind take turns, and no update is lost; without the lock some are")
  void contention() {
    assertEquals(8L * TURNS, count(true));
    assertTrue(count(false) < 8L * TURNS, "without the lock no update was lost: it tests nothing");
  }

  private long count(boolean locked) {
    apps.server().call("SET", "count", "0");
    LockManager second = apps.ours(RedissonMode.PLAIN);
    RedissonClient other = apps.redisson();
    List<CompletableFuture<Void>> parts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      DistributedLock lock = (i < 2 ? manager : second).lock(NAME);
      RLock rLock = (i < 2 ? plain : other).getLock(NAME);
      Callable<Void> own = () -> turns(locked, lock.asLock());
      Callable<Void> their = () -> turns(locked, rLock);
      parts.add(onThread(own));
      parts.add(onThread(their));
    }
    parts.forEach(Await::value);
    return Long.parseLong(apps.server().call("GET", "count").orElseThrow().toString());
  }

  private Void turns(boolean locked, java.util.concurrent.locks.Lock lock) {
    for (int i = 0; i < TURNS; i++) {
      if (locked) {
        lock.lock();
      }
      try {
        long read = Long.parseLong(apps.server().call("GET", "count").orElseThrow().toString());
        apps.server().call("SET", "count", Long.toString(read + 1));
      } finally {
        if (locked) {
          lock.unlock();
        }
      }
    }
    return null;
  }

  @Test
  @DisplayName("A client's name mapper maps ours as it maps theirs")
  void nameMapper() {
    NameMapper mapper =
        new NameMapper() {
          @Override
          public String map(String name) {
            return "app:" + name;
          }

          @Override
          public String unmap(String name) {
            return name.substring("app:".length());
          }
        };
    RedissonClient mapped =
        apps.redisson(apps.server().uri(), config -> config.setNameMapper(mapper));
    RLock lock = mapped.getLock(NAME);
    lock.lock();
    DistributedLock own = apps.ours(mapped, RedissonMode.PLAIN).lock(NAME, PATIENT);
    assertEquals(Optional.empty(), own.tryAcquire());
    ours.tryAcquire().orElseThrow().release(); // without the mapper it is another lock
    CompletableFuture<Lease> waiting = own.acquireAsync().toCompletableFuture();
    Await.until("it listens", () -> apps.listeners("app:" + NAME) == 1);
    lock.unlock();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    Await.value(waiting).release();
  }

  @Test
  @DisplayName("A client that was handed in outlives the manager")
  void clientStays() {
    ours.tryAcquire().orElseThrow().release();
    manager.close();
    assertFalse(client.isShutdown());
    assertTrue(client.getLock(NAME).tryLock());
  }

  @Test
  @DisplayName("A client that is not one of Redisson's own classes is refused with a message")
  void wrappedClient() {
    RedissonClient wrapped =
        (RedissonClient)
            Proxy.newProxyInstance(
                RLockTest.class.getClassLoader(),
                new Class<?>[] {RedissonClient.class},
                (proxy, method, arguments) -> method.invoke(client, arguments));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> RedissonLocks.over(wrapped));
    assertTrue(e.getMessage().contains("is not org.redisson.Redisson"), e.getMessage());
  }

  @Test
  @DisplayName("RFencedLock of the same name is excluded, and excludes ours")
  void fencedLock() throws Exception {
    RFencedLock fenced = plain.getFencedLock(NAME);
    Lease lease = ours.acquire();
    assertFalse(fenced.tryLock());
    CompletableFuture<Long> waiting = onThread(fenced::lockAndGetToken);
    Await.until("it listens", () -> apps.listeners(NAME) == 1);
    lease.release();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    assertEquals(Optional.empty(), ours.tryAcquire());
    assertTrue(lease.fencingToken() > Await.value(waiting), "never compare the two");
    CompletableFuture<Lease> next = ours.acquireAsync().toCompletableFuture();
    Await.until("ours listens", () -> apps.listeners(NAME) == 1);
    fenced.forceUnlock();
    assertTrue(took(next).compareTo(WELL_BEFORE) < 0);
    assertFalse(fenced.tryLock());
    Await.value(next).release();
  }

  @Test
  @DisplayName(
      "RReadWriteLock of the same name looks for its own alone: RLock's and ours it ignores")
  void readWriteLock() throws Exception {
    Lease lease = ours.acquire();
    assertTrue(plain.getReadWriteLock(NAME).readLock().tryLock());
    lease.release();
    RLock other = plain.getLock("other");
    other.lock();
    assertTrue(client.getReadWriteLock("other").writeLock().tryLock());
    assertTrue(other.isHeldByCurrentThread());
  }

  @Test
  @DisplayName("After FLUSHALL the token of RFencedLock goes back; ours does not")
  void fencing() throws Exception {
    RFencedLock fenced = plain.getFencedLock("fenced");
    List<Long> theirTokens = new ArrayList<>();
    List<Long> ourTokens = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      if (i == 3) {
        apps.server().call("FLUSHALL");
      }
      theirTokens.add(fenced.lockAndGetToken());
      fenced.unlock();
      try (Lease lease = ours.acquire()) {
        ourTokens.add(lease.fencingToken());
      }
    }
    assertEquals(List.of(1L, 2L, 3L, 1L, 2L, 3L), theirTokens);
    assertEquals(ourTokens.stream().sorted().distinct().toList(), ourTokens);
  }
}
