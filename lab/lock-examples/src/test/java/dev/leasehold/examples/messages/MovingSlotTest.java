package dev.leasehold.examples.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisCluster;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.SlotMove;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A cluster moves the slot of a lock, and answers TRYAGAIN meanwhile")
class MovingSlotTest {
  private static final LockOptions LONG = LockOptions.fixed(Duration.ofMinutes(10));

  /** Several renewals may fail before such a lease is lost. */
  private static final LockOptions RENEWED =
      LockOptions.builder().automaticLease(Duration.ofSeconds(9)).build();

  private static RedisCluster cluster;

  private final Queue<LockEvent> events = new ConcurrentLinkedQueue<>();
  private LockManager locks;
  private LockManager others;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private void open(BackendModes kind) {
    locks = manager(kind);
    others = manager(kind);
  }

  private LockManager manager(BackendModes kind) {
    RedisServer seed = cluster.primaries().get(0);
    Map<String, String> settings = kind.settings(List.of(seed.uri()));
    settings.put("lock.redis.cluster", "true");
    settings.put("lock.redis.connect-timeout", "20s"); // the first connection of a busy JVM
    return LockManager.opener(LockSettings.of(settings))
        .engine(builder -> builder.listener(events::add).storeTimeout(Duration.ofMinutes(1)))
        .open();
  }

  @AfterEach
  void close() {
    locks.close();
    others.close();
  }

  private static String name(BackendModes kind, String what) {
    return what + "-" + kind;
  }

  /** Starts moving the slot that has all keys of a name. */
  private static SlotMove move(String name) {
    return cluster.move("{" + name + "}");
  }

  private long failed(String operation, String name) {
    return events.stream()
        .filter(
            event ->
                event instanceof LockEvent.Failed failed
                    && failed.operation().equals(operation)
                    && failed.lockName().equals(name))
        .count();
  }

  private static void assertExplained(LockStoreException told) {
    assertEquals(Kind.UNAVAILABLE, told.kind());
    String words = String.valueOf(told.getMessage());
    assertTrue(words.contains("TRYAGAIN"), words);
    assertTrue(words.contains("(the cluster is moving this lock's slot"), words);
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("An acquisition that may wait waits for the end of that; another reports why not")
  void acquired(BackendModes kind) {
    open(kind);
    String name = name(kind, "taken");
    DistributedLock lock = locks.lock(name, LONG);
    SlotMove move = move(name);
    assertExplained(assertThrows(LockStoreException.class, lock::tryAcquire));
    assertExplained(
        assertThrows(LockStoreException.class, () -> lock.tryAcquire(Duration.ofMillis(300))));
    long before = failed("acquire", name);
    CompletableFuture<Lease> waiting = lock.acquireAsync().toCompletableFuture();
    Await.until("it asks again", () -> failed("acquire", name) >= before + 2);
    assertFalse(waiting.isDone());
    move.finish();
    Await.value(waiting).release();
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("A hold is renewed across the move, also if some of its keys went before the others")
  void renewed(BackendModes kind) throws Exception {
    open(kind);
    String name = name(kind, "held");
    Lease permit = locks.semaphore(name, 2, RENEWED).acquire();
    SlotMove move = move(name);
    move.carry("lh:{" + name + "}:permits", name);
    events.clear();
    // On Redisson's keys the renewal needs a single key, which the other node already has.
    Await.until("a renewal was tried", () -> failed("renew", name) + renewed(name) > 0);
    assertEquals(kind == BackendModes.REDISSON, failed("renew", name) == 0);
    move.finish();
    events.clear();
    Await.until("it is renewed", () -> renewed(name) > 0);
    permit.release();
  }

  private long renewed(String name) {
    return events.stream()
        .filter(event -> event instanceof LockEvent.Renewed && event.lockName().equals(name))
        .count();
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("A release says that it is not confirmed, and is repeated until it is")
  void released(BackendModes kind) throws Exception {
    open(kind);
    String name = name(kind, "released");
    Lease lease = locks.lock(name, LONG).acquire();
    SlotMove move = move(name);
    assertExplained(assertThrows(LockStoreException.class, lease::release));
    move.finish();
    others.lock(name, LONG).tryAcquire(Await.patience()).orElseThrow().release();
  }
}
