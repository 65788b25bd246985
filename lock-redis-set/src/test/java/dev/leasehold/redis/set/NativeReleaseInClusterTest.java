package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandCounts;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A release of two steps, the native delete that a waiter's mark has prevented and the script, in a
 * cluster that moves the slot between them. The node that has the slot announces a proxy's port, so
 * that clients come through it.
 */
@DisplayName("A slot moves after the native delete was answered, and before the script is sent")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(
    value = ServerKind.class,
    names = {"REDIS_8", "VALKEY"})
class NativeReleaseInClusterTest {
  private static final int BUS = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Parameter private ServerKind kind;

  private TestCluster cluster;
  private TestServer from;
  private TestServer to;
  private RespProxy proxy;
  private StoreOps store;
  private StoreOps other;

  private LeaseKey held;
  private LeaseKey waiter;
  private String slot;
  private final AtomicInteger woken = new AtomicInteger();
  private Watch watch;

  @BeforeParameterizedClassInvocation
  void start() {
    cluster = TestCluster.start(kind);
    from = cluster.node(2);
    to = cluster.node(1);
    proxy = RespProxy.inFrontOf("127.0.0.1", from.port());
    from.call(
        "CONFIG",
        "SET",
        "cluster-announce-bus-port",
        Integer.toString(from.port() + BUS),
        "cluster-announce-port",
        Integer.toString(proxy.port()));
    Await.until(
        "every node gives clients the proxy's port",
        PATIENCE,
        () ->
            cluster.nodes().stream()
                .allMatch(node -> node.admin().clusterNodes().contains(":" + proxy.port() + "@")));
    store = open();
    other = open();
  }

  private StoreOps open() {
    return StoreOps.open(Map.of("lock.redis.uri", cluster.uri(), "lock.redis.cluster", "true"));
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (cluster != null) {
      store.close();
      other.close();
      proxy.close();
      cluster.close();
      cluster = null;
    }
  }

  @BeforeEach
  void aMarkedLease() {
    String name = cluster.nameOn(2);
    slot = Integer.toString(SlotHash.getSlot(name));
    held = new LeaseKey(name, "a:1.");
    waiter = new LeaseKey(name, "b:2.");
    LeaseKey first = new LeaseKey(cluster.nameOn(2), "a:0");
    store.acquire(first);
    store.release(first);
    LeaseKey unmarkable = new LeaseKey(name, "a:1");
    Await.until("it is known", () -> store.store().prepared(unmarkable).equals(held));
    assertInstanceOf(Granted.class, store.acquire(held));
    watch = other.watch(waiter, woken::incrementAndGet);
    assertInstanceOf(Held.class, other.acquire(waiter, StoreOps.TTL, IfHeld.ENQUEUE));
    assertEquals("a:1.!", from.admin().get(key("")));
    woken.set(0);
  }

  @AfterEach
  void leave() {
    if (watch != null) {
      watch.close();
    }
  }

  private String key(String suffix) {
    return "lh:{" + held.name() + "}" + suffix;
  }

  /** By MOVED the client learns that the slot has a new owner. */
  @Test
  @DisplayName("to its new owner: the lock is passed on there")
  void moved() throws Exception {
    CompletableFuture<ReleaseResult> released =
        release(
            () -> {
              beginMove();
              migrate(keys());
              endMove();
              Await.until("the waiter listens there", PATIENCE, () -> channelsAt(to) == 1);
            });
    assertEquals(ReleaseResult.PASSED_ON, Await.value(released));
    Await.until("the waiter is woken", () -> woken.get() > 0);
    assertWaiterGetsIt();
  }

  /**
   * By ASK the client learns that this key is elsewhere already. There are no listeners there yet.
   */
  @Test
  @DisplayName("with all its keys, but has its owner still: the lock is released where they are")
  void asked() throws Exception {
    CompletableFuture<ReleaseResult> released =
        release(
            () -> {
              beginMove();
              migrate(keys());
            });
    try {
      assertEquals(ReleaseResult.RELEASED, Await.value(released));
    } finally {
      endMove(); // until then an acquisition is answered TRYAGAIN
    }
    Await.until("the waiter listens at the new owner, and asks", PATIENCE, () -> woken.get() > 0);
    assertWaiterGetsIt();
  }

  @Test
  @DisplayName("in part: the release fails, the lock stays, and the next one passes it on")
  void partly() throws Exception {
    CompletableFuture<ReleaseResult> released =
        release(
            () -> {
              beginMove();
              migrate(key(":wait"));
            });
    try {
      LockStoreException e = assertThrows(LockStoreException.class, () -> Await.value(released));
      assertEquals(LockStoreException.Kind.UNAVAILABLE, e.kind(), e::getMessage);
      assertEquals("a:1.!", from.admin().get(key("")));
      migrate(keys());
    } finally {
      endMove();
    }
    Await.until("the waiter listens there", PATIENCE, () -> channelsAt(to) == 1);
    assertEquals(ReleaseResult.PASSED_ON, store.release(held));
    Await.until("the waiter is woken", () -> woken.get() > 0);
    assertWaiterGetsIt();
  }

  private void assertWaiterGetsIt() {
    assertInstanceOf(Granted.class, other.acquire(waiter, StoreOps.TTL, IfHeld.ENQUEUE));
    assertEquals(ReleaseResult.RELEASED, other.release(waiter));
  }

  private int channelsAt(TestServer node) {
    return node.admin().pubsubShardChannels(key(":wake:*")).size();
  }

  private String[] keys() {
    return from.admin().clusterGetKeysInSlot(Integer.parseInt(slot), 100).toArray(String[]::new);
  }

  /** Releases; between the answer to the first step and the second one, something happens. */
  private CompletableFuture<ReleaseResult> release(Runnable meanwhile) throws Exception {
    String command = kind.compareAndDelete().orElseThrow();
    from.admin().configResetstat();
    Supplier<CommandCounts> sent = proxy.counting();
    CompletableFuture<ReleaseResult> released;
    try (ActiveFault answer =
        proxy.next(1, CommandMatch.named(command), CommandFault.holdReply())) {
      released = store.store().release(held).toCompletableFuture();
      assertTrue(answer.awaitHits(1, PATIENCE));
      Await.until(
          "the server has executed it",
          () -> from.admin().info("commandstats").contains("cmdstat_" + command + ":calls=1,"));
      assertEquals("a:1.!", from.admin().get(key("")));
      meanwhile.run();
      assertEquals(0, sent.get().of("EVALSHA"), "it did not wait for the answer");
    }
    Await.until("the script goes to the slot's old node", () -> sent.get().of("EVALSHA") > 0);
    return released;
  }

  private void migrate(String... keys) {
    for (String key : keys) {
      from.call("MIGRATE", "127.0.0.1", "" + to.port(), key, "0", "5000");
    }
  }

  private void beginMove() {
    to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", from.admin().clusterMyId());
    from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", to.admin().clusterMyId());
  }

  private void endMove() {
    for (TestServer node : List.of(to, from, cluster.node(0))) {
      node.call("CLUSTER", "SETSLOT", slot, "NODE", to.admin().clusterMyId());
    }
  }
}
