package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisCluster;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerOptions;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A cluster of which one node hangs")
class HungClusterNodeTest {
  private static final int CALLS = 5000;

  /** The nodes have to notice and agree first. */
  private static final Duration FAILOVER = Duration.ofMinutes(1);

  /** Locks of other nodes are asked for so often meanwhile. */
  private static final int NOW_AND_THEN = 50;

  private static final int MOST = 40;

  /** A waiter that is granted within a minute was woken. */
  private static final LockOptions ONLY_WHEN_WOKEN =
      LockOptions.builder()
          .fixedLease(Duration.ofMinutes(10))
          .waitStrategy(WaitStrategy.every(Duration.ofMinutes(1)))
          .build();

  private RedisCluster cluster;
  private LeaseStore store;
  private RedisServer hung;
  private int asked;

  @BeforeEach
  void start() {
    cluster = RedisCluster.start();
    // Without a node's slots the others would refuse: that is the cluster's, not the client's.
    for (RedisServer node : cluster.nodes()) {
      node.call("CONFIG", "SET", "cluster-require-full-coverage", "no");
    }
    hung = cluster.primaries().get(0);
    RedisServer seed = cluster.primaries().get(1);
    String uri = "redis://" + seed.host() + ":" + seed.port();
    store =
        new RedisSetBackend()
            .open(LockSettings.of(Map.of("lock.redis.uri", uri, "lock.redis.cluster", "true")));
    assertInstanceOf(Granted.class, ask(true).join());
    assertInstanceOf(Granted.class, ask(false).join());
  }

  @AfterEach
  void stop() {
    hung.resume();
    store.close();
    cluster.close();
  }

  /** Asks for a free lock, on that node or on another. */
  private CompletableFuture<AcquireResult> ask(boolean onHung) {
    String name = "l" + asked++;
    while (SlotHash.getSlot(name) < SlotHash.SLOT_COUNT / 3 != onHung) { // the first of three
      name = "l" + asked++;
    }
    return store
        .acquire(
            new AcquireRequest(new LeaseKey(name, "a:1"), Duration.ofMinutes(1), IfHeld.REFUSE))
        .toCompletableFuture();
  }

  private static boolean isRefused(CompletableFuture<?> call) {
    try {
      call.getNow(null);
      return false;
    } catch (CompletionException e) {
      return e.getCause() instanceof LockStoreException why && why.kind() == Kind.UNREACHABLE;
    }
  }

  private void othersGoOn() throws Exception {
    assertInstanceOf(Granted.class, ask(false).get(10, TimeUnit.SECONDS));
  }

  @Test
  @DisplayName("Abandoned calls to it are limited, and locks on other servers continue")
  void bounded() throws Exception {
    hung.pause();
    int sent = 0;
    for (CompletableFuture<AcquireResult> call = ask(true); !isRefused(call); call = ask(true)) {
      assertTrue(++sent < CALLS, () -> CALLS + " calls were given up, and more are sent");
      LockSupport.parkNanos(100_000); // for the client's threads; nothing depends on how long
      call.cancel(true);
      if (sent % NOW_AND_THEN == 0) {
        othersGoOn();
      }
    }
    othersGoOn();
    assertTrue(isRefused(ask(true)), "sent, and kept for as long as the node hangs");
    hung.resume();
    Await.until("the node is asked again", () -> !isRefused(ask(true)));
    assertInstanceOf(Granted.class, ask(true).get(10, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @EnumSource(
      value = ServerKind.class,
      names = {"EMBEDDED", "REDIS"})
  @DisplayName("It is left once its replica has been promoted, while it still hangs")
  void replaced(ServerKind kind) throws Exception {
    try (RedisCluster replicated =
            RedisCluster.start(kind.required(), 3, 1, ServerOptions.defaults());
        LockManager manager = open(replicated);
        Subscriber subscriber = subscriber(replicated, manager)) {
      RedisServer primary = subscriber.node;
      String name = nameOn(replicated, primary, "x-");
      String free = nameOn(replicated, primary, "free-");
      Lease held = manager.lock(name, LockOptions.fixed(Duration.ofMinutes(10))).acquire();
      CompletableFuture<Lease> next = inLine(subscriber.manager, name, primary);
      primary.pause();
      try {
        Await.until("a lock is had at the next primary", FAILOVER, () -> isTaken(manager, free));
        Await.until("the waiter follows", FAILOVER, () -> isTaken(subscriber.manager, free));
        held.release();
        next.get(30, TimeUnit.SECONDS).release();
      } finally {
        primary.resume();
      }
    }
  }

  private static LockManager open(RedisCluster servers) {
    String uris =
        servers.nodes().stream()
            .map(node -> node.host() + ":" + node.port())
            .collect(Collectors.joining(",", "redis://", ""));
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.redis.uri", uris,
                "lock.redis.cluster", "true",
                "lock.command-timeout", "500ms")));
  }

  private static String nameOn(RedisCluster servers, RedisServer node, String prefix) {
    return IntStream.range(0, CALLS)
        .mapToObj(i -> prefix + i)
        .filter(name -> servers.owner("lh:{" + name + "}") == node)
        .findFirst()
        .orElseThrow();
  }

  /** A process, and the primary where it is subscribed. */
  private record Subscriber(LockManager manager, RedisServer node) implements AutoCloseable {
    @Override
    public void close() {
      manager.close();
    }
  }

  /** Without sharded channels Lettuce picks any node, which may be a replica. */
  private static Subscriber subscriber(RedisCluster servers, LockManager holder)
      throws InterruptedException {
    Lease held = holder.lock("warm", LockOptions.fixed(Duration.ofMinutes(10))).acquire();
    for (int i = 0; i < MOST; i++) {
      LockManager manager = open(servers);
      CompletableFuture<Lease> waiting = manager.lock("warm").acquireAsync().toCompletableFuture();
      Await.until("it is subscribed", () -> servers.nodes().stream().anyMatch(n -> isHeard(n)));
      Optional<RedisServer> node = servers.primaries().stream().filter(n -> isHeard(n)).findFirst();
      waiting.cancel(true);
      if (node.isPresent()) {
        held.release();
        return new Subscriber(manager, node.get());
      }
      manager.close();
      Await.until("it is gone", () -> servers.nodes().stream().noneMatch(n -> isHeard(n)));
    }
    throw new AssertionError("each of " + MOST + " subscriptions is at a replica");
  }

  private static boolean isHeard(RedisServer node) {
    return !node.call("CLIENT", "LIST", "TYPE", "pubsub").orElseThrow().toString().isEmpty();
  }

  /**
   * A waiter in the queue. One whose first request timed out, as it may on a busy machine, would
   * stay out of it for a minute, so it is replaced.
   */
  private static CompletableFuture<Lease> inLine(
      LockManager manager, String name, RedisServer primary) {
    for (int i = 0; i < MOST; i++) {
      CompletableFuture<Lease> waiter =
          manager.lock(name, ONLY_WHEN_WOKEN).acquireAsync().toCompletableFuture();
      try {
        Await.until(
            "it is in the queue",
            Duration.ofSeconds(3),
            () -> primary.call("ZCARD", "lh:{" + name + "}:wait").equals(Optional.of(1L)));
        return waiter;
      } catch (AssertionError late) {
        waiter.cancel(true);
      }
    }
    throw new AssertionError("none of " + MOST + " waiters is in the queue");
  }

  private static boolean isTaken(LockManager manager, String name) {
    try {
      Optional<Lease> lease = manager.lock(name).tryAcquire();
      lease.ifPresent(Lease::release);
      return lease.isPresent();
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  @Test
  @DisplayName("Opening fails without INFO, and leaves no connection behind")
  void notOpened() {
    for (RedisServer node : cluster.nodes()) {
      node.call("ACL", "SETUSER", "few", "on", ">few", "~*", "&*", "+@all", "-info");
    }
    RedisServer seed = cluster.primaries().get(0);
    LockSettings settings =
        LockSettings.of(
            Map.of(
                "lock.redis.uri", "redis://few:few@" + seed.host() + ":" + seed.port(),
                "lock.redis.cluster", "true",
                "lock.redis.allow-eviction", "true"));
    for (int i = 0; i < 2; i++) {
      assertThrows(LockStoreException.class, () -> new RedisSetBackend().open(settings).close());
    }
    Await.until(
        "their connections are closed",
        () ->
            cluster.nodes().stream()
                .map(node -> node.call("CLIENT", "LIST").orElseThrow().toString())
                .noneMatch(list -> list.contains("user=few")));
  }

  @Test
  @DisplayName("A call that fails with its connection names the node")
  void named() {
    hung.pause();
    CompletableFuture<AcquireResult> call = ask(true);
    hung.kill();
    hung.restart();
    LockStoreException broken = assertThrows(LockStoreException.class, () -> Await.value(call));
    assertEquals(Kind.UNREACHABLE, broken.kind());
    String where = " on Redis at 127.0.0.1:" + hung.port() + ": ";
    assertTrue(String.valueOf(broken.getMessage()).contains(where), broken::toString);
  }
}
