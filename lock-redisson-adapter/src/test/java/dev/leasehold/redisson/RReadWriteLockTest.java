package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.LONG;
import static dev.leasehold.redisson.Apps.WELL_BEFORE;
import static dev.leasehold.redisson.Apps.took;
import static dev.leasehold.testkit.TestThreads.onThread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.api.RReadWriteLock;

@DisplayName("A read/write lock that is shared with plain RReadWriteLocks of another process")
class RReadWriteLockTest {
  private static final Duration WATCHDOG = Duration.ofMillis(1_500);

  /** Asks again so seldom that only a message can explain why a waiter was quick. */
  private static final LockOptions PATIENT =
      LockOptions.builder()
          .fixedLease(Duration.ofSeconds(25))
          .waitStrategy(WaitStrategy.every(LONG))
          .build();

  /** How theirs takes a lease that does not end, and so wakes no waiter, before a message would. */
  private static final String LOCK_LONG = "lease " + LONG.toMillis();

  private static final AtomicInteger NAMES = new AtomicInteger();

  private static Apps apps;
  private static OtherProcess plain;
  private final String name = "sides-" + NAMES.incrementAndGet();
  private LockManager manager;
  private DistributedReadWriteLock ours;

  @BeforeAll
  static void start() {
    apps = new Apps();
    plain = apps.closing(OtherProcess.start(apps.server().uri(), WATCHDOG));
  }

  @AfterAll
  static void stop() {
    apps.close();
  }

  @BeforeEach
  void open() {
    manager = apps.ours(RedissonMode.PLAIN);
    ours = manager.readWriteLock(name, PATIENT);
  }

  @AfterEach
  void close() {
    manager.close();
  }

  private long listeners() {
    return apps.listenersOf("redisson_rwlock:{" + name + "}");
  }

  private CompletableFuture<String> plainWaits(String side) {
    CompletableFuture<String> waits = plain.ask(side, side, name, "wait " + LONG.toMillis());
    // It listens, asks once more, then waits; the message that wakes all is lost on one that does
    // not wait yet, whichever client sends it.
    Await.until("it waits", () -> plain.does("asks", "lane", side, "waits").equals("true"));
    return waits;
  }

  private static List<?> keys(String pattern) {
    return (List<?>) apps.server().call("KEYS", pattern).orElseThrow();
  }

  private Map<String, String> fields() {
    List<?> reply = (List<?>) apps.server().call("HGETALL", name).orElseThrow();
    Map<String, String> fields = new TreeMap<>();
    for (int i = 0; i < reply.size(); i += 2) {
      fields.put(reply.get(i).toString(), reply.get(i + 1).toString());
    }
    return fields;
  }

  @Test
  @DisplayName("Our reader excludes their writer but not their reader; its release wakes")
  void ourReader() throws Exception {
    Lease read = ours.read().acquire();
    assertEquals("false", plain.does("writer", "write", name, "try"));
    assertEquals("true", plain.does("reader", "read", name, "try"));
    CompletableFuture<String> writer = plainWaits("write");
    plain.does("reader", "read", name, "unlock");
    assertEquals("false", plain.does("writer", "write", name, "try"), "ours still reads");
    assertFalse(writer.isDone());
    read.ensureValid();
    read.release();
    assertTrue(took(writer).compareTo(WELL_BEFORE) < 0);
    assertEquals("true", Await.value(writer));
    plain.does("write", "write", name, "unlock");
  }

  @Test
  @DisplayName("Our writer excludes both of theirs, and its release wakes all their readers")
  void ourWriter() throws Exception {
    Lease write = ours.write().acquire();
    assertEquals("false", plain.does("reader", "read", name, "try"));
    assertEquals("false", plain.does("writer", "write", name, "try"));
    CompletableFuture<String> reader = plainWaits("read");
    write.release();
    assertTrue(took(reader).compareTo(WELL_BEFORE) < 0);
    assertEquals("true", Await.value(reader));
    plain.does("read", "read", name, "unlock");
    assertTrue(fields().isEmpty());
  }

  @Test
  @DisplayName("Their reader excludes our writer but not our reader; its unlock wakes")
  void theirReader() throws Exception {
    plain.does("reader", "read", name, LOCK_LONG);
    assertTrue(ours.write().tryAcquire().isEmpty());
    Lease read = onThread(() -> ours.read().tryAcquire().orElseThrow()).get();
    CompletableFuture<Lease> writer = ours.write().acquireAsync().toCompletableFuture();
    Await.until("it listens", () -> listeners() == 1);
    read.release();
    assertFalse(writer.isDone());
    plain.does("reader", "read", name, "unlock");
    assertTrue(took(writer).compareTo(WELL_BEFORE) < 0);
    Await.value(writer).release();
  }

  @Test
  @DisplayName("Their writer excludes both of ours, and its unlock wakes all of them")
  void theirWriter() throws Exception {
    plain.does("writer", "write", name, LOCK_LONG);
    assertTrue(ours.read().tryAcquire().isEmpty());
    assertTrue(ours.write().tryAcquire().isEmpty());
    LockManager second = apps.ours(RedissonMode.PLAIN);
    CompletableFuture<Lease> one = ours.read().acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> two =
        second.readWriteLock(name, PATIENT).read().acquireAsync().toCompletableFuture();
    Await.until("both listen", () -> listeners() == 2);
    assertFalse(one.isDone() || two.isDone());
    plain.does("writer", "write", name, "unlock");
    assertTrue(took(one).compareTo(WELL_BEFORE) < 0);
    assertTrue(took(two).compareTo(WELL_BEFORE) < 0);
    Await.value(one).release();
    Await.value(two).release();
    second.close();
  }

  @Test
  @DisplayName("Each re-enters: a writer of either kind also reads, and continues as a reader")
  void downgrade() throws Exception {
    Lease write = ours.write().acquire();
    Lease read = ours.read().acquire();
    assertEquals("false", plain.does("reader", "read", name, "try"));
    CompletableFuture<String> reader = plainWaits("read");
    write.release();
    assertTrue(took(reader).compareTo(WELL_BEFORE) < 0, "theirs learns that it may read now");
    plain.does("read", "read", name, "unlock");
    assertEquals("false", plain.does("writer", "write", name, "try"), "ours reads on");
    read.release();

    plain.does("writer", "write", name, "lock");
    plain.does("writer", "write", name, "lock");
    plain.does("writer", "read", name, "lock");
    plain.does("writer", "write", name, "unlock");
    assertTrue(ours.read().tryAcquire().isEmpty());
    plain.does("writer", "write", name, "unlock");
    assertTrue(ours.write().tryAcquire().isEmpty());
    ours.read().tryAcquire().orElseThrow().release();
    plain.does("writer", "read", name, "unlock");
    ours.write().tryAcquire().orElseThrow().release();
    assertTrue(fields().isEmpty());
  }

  @Test
  @DisplayName("A plain reader that is never heard of again keeps ours out until its lease ends")
  void stopped() throws Exception {
    plain.does("reader", "read", name, "lock");
    Lease beside = ours.read().acquire();
    plain.pause();
    try {
      beside.release();
      Lease write = ours.write().tryAcquire(WATCHDOG.plusSeconds(2)).orElseThrow();
      plain.resume();
      assertTrue(Await.value(plain.ask("reader", "read", name, "unlock")).startsWith("!"));
      write.ensureValid();
      write.release();
    } finally {
      plain.resume();
    }
  }

  @Test
  @DisplayName("One of ours that is never heard of again keeps theirs out until its lease ends")
  void dead() throws Exception {
    Duration lease = Duration.ofMillis(300);
    LockOptions brief = LockOptions.fixed(lease);
    Lease dead = manager.readWriteLock(name, brief).read().acquire();
    Lease living = onThread(() -> ours.read().acquire()).get();
    CompletableFuture<String> writer = plainWaits("write");
    Await.until("the first is over", () -> keys("{" + name + "}:*").size() == 1);
    assertFalse(dead.isValid());
    living.release();
    assertTrue(took(writer).compareTo(WELL_BEFORE) < 0);
    plain.does("write", "write", name, "unlock");

    long begun = System.nanoTime();
    manager.readWriteLock(name, brief).write().acquire();
    assertEquals("true", plain.does("writer", "write", name, "wait 5000"));
    Duration passed = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(passed.compareTo(lease) >= 0, passed::toString);
    plain.does("writer", "write", name, "unlock");
  }

  @Test
  @DisplayName("On the server a hold is theirs, field for field, but for whose it is")
  void sameFormat() throws Exception {
    plain.does("reader", "read", name, "lock");
    Map<String, String> their = fields();
    List<?> theirEnds = keys("{" + name + "}:*");
    plain.does("reader", "read", name, "unlock");
    Lease read = ours.read().acquire();
    Map<String, String> own = fields();
    List<?> ends = keys("{" + name + "}:*");
    assertEquals(
        their.values().stream().sorted().toList(), own.values().stream().sorted().toList());
    assertEquals("read", own.remove("mode"));
    String holder = own.keySet().iterator().next();
    assertEquals(List.of("{" + name + "}:" + holder + ":rwlock_timeout:1"), ends);
    assertEquals(
        theirEnds.size(), ends.size(), "as many keys of ends: " + theirEnds + " and " + ends);
    read.release();
    Lease write = ours.write().acquire();
    assertEquals("write", fields().get("mode"));
    assertTrue(fields().keySet().stream().anyMatch(field -> field.endsWith(":write")));
    assertTrue(apps.ttl(name) > write.remaining().toMillis());
    write.release();
    // What an unlock of Redisson's was answered, it keeps for a moment.
    List<?> left =
        keys("*" + name + "*").stream()
            .filter(key -> !key.toString().startsWith("redisson_unlock_latch"))
            .toList();
    assertEquals(List.of("lh:{" + name + "}:rw:fences"), left);
  }

  @Test
  @DisplayName("An inspection shows their holder, without a token of ours")
  void inspected() throws Exception {
    Lease read = ours.read().acquire();
    assertTrue(ours.read().inspect().orElseThrow().fencingToken().isPresent());
    assertTrue(ours.write().inspect().isEmpty());
    read.release();
    plain.does("writer", "write", name, "lock");
    HolderInfo told = ours.write().inspect().orElseThrow();
    assertTrue(told.fencingToken().isEmpty(), told::toString);
    assertTrue(
        fields().keySet().stream().anyMatch(f -> f.startsWith(told.holder().replace("…", ""))));
    assertTrue(ours.read().inspect().isEmpty());
    plain.does("writer", "write", name, "unlock");
  }

  @Test
  @DisplayName("One manager gives no lock and no read/write lock of one name; an RLock excludes")
  void oneNameSpace() throws Exception {
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> manager.lock(name));
    assertTrue(e.getMessage().contains(name) && e.getMessage().contains("another name"));
    LockManager second = apps.ours(RedissonMode.PLAIN);
    second.lock(name);
    assertThrows(LockConfigurationException.class, () -> second.readWriteLock(name));
    plain.does("holder", "lock", name, "lock");
    assertTrue(ours.read().tryAcquire().isEmpty(), "RReadWriteLock would have taken it");
    assertTrue(ours.write().tryAcquire().isEmpty());
    assertTrue(ours.read().inspect().isEmpty());
    plain.does("holder", "lock", name, "unlock");
    Lease write = ours.write().tryAcquire().orElseThrow();
    assertTrue(second.lock(name).tryAcquire().isEmpty());
    assertEquals("false", plain.does("holder", "lock", name, "try"));
    write.release();
    second.close();
  }

  @Test
  @DisplayName("A read lease that plain renewals could shorten is refused, with the allowed values")
  void longerThanTheirs() {
    LockOptions tooLong = LockOptions.fixed(Duration.ofSeconds(31));
    DistributedReadWriteLock lock = manager.readWriteLock(name, tooLong);
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> lock.read().acquire());
    assertTrue(e.getMessage().contains("31s") && e.getMessage().contains("30s"), e.getMessage());
    lock.write().tryAcquire().orElseThrow().release();
    Lease read = ours.read().tryAcquire().orElseThrow();
    assertThrows(LockConfigurationException.class, () -> read.extend(Duration.ofSeconds(31)));
    read.ensureValid();
    read.release();
  }

  @Test
  @DisplayName("Readers and writers of both kinds take turns, and no update is lost")
  void contention() {
    apps.server().call("SET", "count", "0");
    LockManager second = apps.ours(RedissonMode.PLAIN);
    // A plain waiter misses a writer's message between its question and its wait, and then waits
    // for as long as the holder's lease lasts.
    LockOptions brief = LockOptions.builder().automaticLease(WATCHDOG).build();
    RReadWriteLock their =
        apps.redisson(
                apps.server().uri(), config -> config.setLockWatchdogTimeout(WATCHDOG.toMillis()))
            .getReadWriteLock(name);
    List<CompletableFuture<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      DistributedReadWriteLock mine = (i == 0 ? manager : second).readWriteLock(name, brief);
      parts.add(onThread(() -> turns(mine.asReadWriteLock())));
      parts.add(onThread(() -> turns(their)));
    }
    int written = parts.stream().mapToInt(Await::value).sum();
    assertEquals(written, number());
    assertEquals(4 * 15, written);
    second.close();
  }

  private int number() {
    return Integer.parseInt(apps.server().call("GET", "count").orElseThrow().toString());
  }

  private int turns(java.util.concurrent.locks.ReadWriteLock lock) {
    int written = 0;
    for (int i = 0; i < 30; i++) {
      boolean writes = i % 2 == 0;
      var side = writes ? lock.writeLock() : lock.readLock();
      side.lock();
      try {
        int before = number();
        if (writes) {
          apps.server().call("SET", "count", Integer.toString(before + 1));
          written++;
        } else {
          assertEquals(before, number(), "there is no writer meanwhile");
        }
      } finally {
        side.unlock();
      }
    }
    return written;
  }

  @Test
  @DisplayName("Guarantees that plain readers do not respect are not given")
  void promised() {
    assertTrue(manager.guarantees().contains(Guarantee.SHARED));
    assertFalse(manager.guarantees().contains(Guarantee.WRITERS_TURN));
  }
}
