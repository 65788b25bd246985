package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A cluster: keys of a name in one slot, wake-ups, and slots that move. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(
    value = ServerKind.class,
    names = {"EMBEDDED", "REDIS"})
class ClusterTest {
  /** Nodes have to agree first. */
  private static final Duration FAILOVER = Duration.ofMinutes(1);

  private TestCluster cluster;
  private StoreOps store;
  private StoreOps other;

  @Parameter private ServerKind kind;

  @BeforeParameterizedClassInvocation
  void start() {
    cluster = TestCluster.start(kind);
    store = open("fenced");
    other = open("fenced");
  }

  private StoreOps open(String mode) {
    return open("lock.redis-set.mode", mode);
  }

  private StoreOps open(String key, String value) {
    return StoreOps.open(
        Map.of("lock.redis.uri", cluster.uri(), "lock.redis.cluster", "true", key, value));
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (store != null) {
      store.close();
      other.close();
      store = null;
    }
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
  }

  private static LeaseKey key(String name, String token) {
    return new LeaseKey(name, token);
  }

  @Test
  void kindsWorkOnEveryNode() {
    for (int node = 0; node < 3; node++) {
      KindsOnNodes.by(store, other, cluster.nameOn(node)).allWork();
    }
  }

  @Test
  void severalNamesOfASlotAreGivenBackToThoseWhoWaitForEach() {
    List<LeaseKey> held = List.of(key("several", "a:1"), key(inTheSlotOf("several"), "a:2"));
    store.acquireAll(StoreOps.TTL, held);
    AtomicInteger woken = new AtomicInteger();
    List<Watch> watches = new ArrayList<>();
    List<LeaseKey> waiters = held.stream().map(lease -> key(lease.name(), "b:1")).toList();
    for (LeaseKey waiter : waiters) {
      watches.add(other.watch(waiter, woken::incrementAndGet));
      assertInstanceOf(Held.class, other.acquire(waiter, StoreOps.TTL, IfHeld.ENQUEUE));
    }
    woken.set(0);
    assertEquals(
        List.of(ReleaseResult.PASSED_ON, ReleaseResult.PASSED_ON),
        store.releaseAll(held.get(0), held.get(1)));
    Await.until("both are woken", () -> woken.get() >= 2);
    watches.forEach(Watch::close);
    waiters.forEach(other::leave);
  }

  private static String inTheSlotOf(String name) {
    int slot = SlotHash.getSlot("lh:{" + name + "}");
    return Stream.iterate(0, i -> i + 1)
        .map(i -> name + i)
        .filter(another -> SlotHash.getSlot("lh:{" + another + "}") == slot)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void severalNamesAreOneStepWithinASlotAndElseOneByOne() throws Exception {
    MultiLockStore several = (MultiLockStore) store.store();
    assertFalse(several.guarantees().contains(Guarantee.TOGETHER), "not for any names");
    List<String> apart = List.of(cluster.nameOn(0), cluster.nameOn(1), cluster.nameOn(2));
    assertFalse(several.takesTogether(apart));
    String other = inTheSlotOf("several");
    assertTrue(several.takesTogether(List.of("several", other)));
    LockSettings settings =
        LockSettings.of(
            Map.of(
                "lock.backend",
                "redis-set",
                "lock.redis.uri",
                cluster.uri(),
                "lock.redis.cluster",
                "true"));
    try (LockManager locks = LockManager.open(settings)) {
      Lease lease = locks.all("several", other).acquire();
      assertTrue(lease.fencingToken() > 0);
      assertTrue(this.other.inspect(other).isPresent());
      lease.release();
      assertFalse(this.other.inspect("several").isPresent());
      assertFalse(this.other.inspect(other).isPresent());
      Lease each = locks.all(apart.toArray(String[]::new)).acquire();
      assertThrows(UnsupportedOperationException.class, each::fencingToken);
      assertTrue(apart.stream().allMatch(name -> this.other.inspect(name).isPresent()));
      each.release();
      assertTrue(apart.stream().noneMatch(name -> this.other.inspect(name).isPresent()));
    }
  }

  @Test
  void everyOperationWorksOnEveryNodeFromTheFirstCommandOn() {
    for (String mode : List.of("fenced", "plain")) {
      try (StoreOps fresh = open(mode)) {
        for (int node = 0; node < 3; node++) {
          String name = cluster.nameOn(node);
          LeaseKey mine = key(name, "a:1");
          assertInstanceOf(Granted.class, fresh.acquire(mine), mode + " on node " + node);
          assertInstanceOf(Held.class, fresh.acquire(key(name, "b:2")));
          assertEquals(RenewResult.RENEWED, fresh.renew(mine, Duration.ofMinutes(1)));
          assertEquals("a:1", fresh.inspect(name).orElseThrow().token());
          assertEquals(ReleaseResult.RELEASED, fresh.release(mine));
        }
      }
    }
  }

  @Test
  void inTheOrderOfArrivalEachIsToldByItsToken() {
    try (StoreOps fair = open("lock.redis.fair", "true")) {
      for (int node = 0; node < 3; node++) {
        String name = cluster.nameOn(node) + "-fair-" + node;
        List<LeaseKey> waiters = List.of(key(name, "b2"), key(name, "c3"));
        List<AtomicInteger> told = List.of(new AtomicInteger(), new AtomicInteger());
        List<Watch> watches = new ArrayList<>();
        fair.fence(key(name, "a1"));
        for (int i = 0; i < waiters.size(); i++) {
          watches.add(fair.watch(waiters.get(i), told.get(i)::incrementAndGet));
          assertInstanceOf(Held.class, fair.acquire(waiters.get(i), StoreOps.TTL, IfHeld.ENQUEUE));
        }
        told.forEach(count -> count.set(0)); // each is woken when listening begins
        assertEquals(ReleaseResult.PASSED_ON, fair.release(key(name, "a1")));
        Await.until("the first is told", () -> told.get(0).get() > 0);
        fair.leave(waiters.get(0)); // as the next message on that channel
        Await.until("then the second", () -> told.get(1).get() > 0);
        assertEquals(1, told.get(0).get(), "the first is told once");
        watches.forEach(Watch::close);
      }
    }
  }

  @Test
  void keysOfOneNameShareASlotWhateverItsCharacters() {
    for (String name : List.of("a{b}c", "}{", "{", "}", "{}", "%7D", "x\n\0y", "日本語")) {
      LeaseKey mine = key(name, "a:1");
      assertInstanceOf(Granted.class, store.acquire(mine), name);
      assertInstanceOf(Held.class, other.acquire(key(name, "b:2"), StoreOps.TTL, IfHeld.ENQUEUE));
      other.leave(key(name, "b:2"));
      assertEquals(ReleaseResult.RELEASED, store.release(mine));
    }
  }

  @Test
  void aBatchOfRenewalsGoesToEveryNode() {
    List<RenewRequest> batch = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      LeaseKey mine = key("batch" + i, "t:" + i);
      store.acquire(mine);
      batch.add(new RenewRequest(mine, Duration.ofMinutes(1)));
    }
    for (CompletionStage<RenewResult> result : store.store().renew(batch)) {
      assertEquals(RenewResult.RENEWED, Await.value(result));
    }
  }

  @Test
  void aReleaseWakesAWaiterOfAnotherStoreOnEveryNode() {
    for (int node = 0; node < 3; node++) {
      String name = cluster.nameOn(node);
      AtomicInteger woken = new AtomicInteger();
      store.acquire(key(name, "a:1"));
      Watch watch = other.watch(key(name, "b:2"), woken::incrementAndGet);
      other.acquire(key(name, "b:2"), StoreOps.TTL, IfHeld.ENQUEUE);
      woken.set(0);
      assertEquals(ReleaseResult.PASSED_ON, store.release(key(name, "a:1")));
      Await.until("the waiter is woken", () -> woken.get() > 0); // more than needed do no harm
      if (kind.hasShardedPubSub()) {
        assertEquals(1, shardChannels(name));
        watch.close();
        Await.until("there are no listeners any more", () -> shardChannels(name) == 0);
      }
      watch.close();
    }
  }

  private long shardChannels(String name) {
    return cluster.nodes().stream().mapToLong(node -> shardChannels(node, name)).sum();
  }

  private static long shardChannels(TestServer server, String name) {
    return server.admin().pubsubShardChannels("lh:{" + name + "}:wake:*").size();
  }

  @Test
  void aWaiterThatIsGoneIsPassedOverWhereReceiversAreCounted() {
    String name = cluster.nameOn(1);
    store.acquire(key(name, "a:1"));
    try (StoreOps third = open("fenced")) {
      third.watch(key(name, "c:3"), () -> {});
      third.acquire(key(name, "c:3"), StoreOps.TTL, IfHeld.ENQUEUE);
    }
    AtomicInteger woken = new AtomicInteger();
    Watch watch = other.watch(key(name, "b:2"), woken::incrementAndGet);
    other.acquire(key(name, "b:2"), StoreOps.TTL, IfHeld.ENQUEUE);
    woken.set(0);
    if (kind.hasShardedPubSub()) {
      Await.until("the waiter listens there", () -> shardChannels(name) == 1);
      assertEquals(ReleaseResult.PASSED_ON, store.release(key(name, "a:1")));
      Await.until("the waiter is woken", () -> woken.get() > 0); // more than needed do no harm
    } else {
      // The gone one is taken for woken, and the lock kept for it: the others come a little later.
      assertEquals(ReleaseResult.PASSED_ON, store.release(key(name, "a:1")));
      long released = System.nanoTime();
      Await.until("it is granted", () -> other.acquire(key(name, "b:2")) instanceof Granted);
      Duration took = Duration.ofNanos(System.nanoTime() - released);
      assertTrue(took.compareTo(Duration.ofSeconds(3)) < 0, () -> "kept for the gone one: " + took);
      other.release(key(name, "b:2"));
    }
    watch.close();
  }

  @Test
  void slotsThatMoveAreFollowed() {
    String name = cluster.nameOn(2);
    String slot = Integer.toString(SlotHash.getSlot(name));
    TestServer from = cluster.node(2);
    TestServer to = cluster.node(1);
    AtomicInteger woken = new AtomicInteger();
    store.acquire(key(name, "a:1"));
    Watch watch = other.watch(key(name, "b:2"), woken::incrementAndGet);
    to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", from.admin().clusterMyId());
    from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", to.admin().clusterMyId());
    from.call(
        "MIGRATE",
        "127.0.0.1",
        "" + to.port(),
        "",
        "0",
        "5000",
        "KEYS",
        "lh:{" + name + "}",
        "lh:{" + name + "}:fence");
    // All keys have gone, the slot has not: the old node answers ASK.
    assertEquals(RenewResult.RENEWED, store.renew(key(name, "a:1"), Duration.ofMinutes(1)));
    assertEquals("a:1", store.inspect(name).orElseThrow().token());
    // The third learns it from them; a fail-over may have made it a replica, which refuses this.
    for (TestServer node : List.of(to, from)) {
      node.call("CLUSTER", "SETSLOT", slot, "NODE", to.admin().clusterMyId());
    }
    // Now MOVED.
    assertEquals(RenewResult.RENEWED, store.renew(key(name, "a:1"), Duration.ofMinutes(2)));
    other.acquire(key(name, "b:2"), StoreOps.TTL, IfHeld.ENQUEUE);
    if (kind.hasShardedPubSub()) {
      Await.until("the waiter listens there", () -> shardChannels(to, name) == 1);
      woken.set(0);
      other.acquire(key(name, "b:2"), StoreOps.TTL, IfHeld.ENQUEUE);
      assertEquals(ReleaseResult.PASSED_ON, store.release(key(name, "a:1")));
      Await.until("the waiter is woken", () -> woken.get() > 0); // more than needed do no harm
    } else {
      assertTrue(store.release(key(name, "a:1")) != ReleaseResult.NOT_OWNER);
    }
    watch.close();
  }

  @Test
  void aFailoverIsFollowedByCallsAndByWatches() {
    String name = cluster.nameOn(0);
    AtomicInteger woken = new AtomicInteger();
    store.acquire(key(name, "a:1"));
    Watch watch = other.watch(key(name, "b:2"), woken::incrementAndGet);
    cluster.failOver();
    Await.until("the lease is renewed there", FAILOVER, () -> renews(key(name, "a:1")));
    if (kind.hasShardedPubSub()) {
      Await.until(
          "the waiter listens there", FAILOVER, () -> shardChannels(cluster.replica(), name) == 1);
    }
    other.acquire(key(name, "b:2"), StoreOps.TTL, IfHeld.ENQUEUE);
    woken.set(0);
    assertEquals(ReleaseResult.PASSED_ON, store.release(key(name, "a:1")));
    Await.until(
        "the waiter is woken", FAILOVER, () -> woken.get() > 0); // more than needed do no harm
    watch.close();
  }

  private boolean renews(LeaseKey key) {
    try {
      return store.renew(key, Duration.ofMinutes(1)) == RenewResult.RENEWED;
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  /** One primary has a replica (whichever it is by now), the others have none. */
  @Test
  void replicasAreAskedAtTheNodeThatWrote() {
    int granted = 0;
    try (StoreOps asking =
        StoreOps.open(
            Map.of(
                "lock.redis.uri", cluster.uri(),
                "lock.redis.cluster", "true",
                "lock.redis-set.wait-replicas", "1",
                "lock.redis-set.wait-timeout", "500ms"))) {
      for (int node = 0; node < 3; node++) {
        LeaseKey mine = key(cluster.nameOn(node), "a:1");
        try {
          asking.acquire(mine);
          granted++;
          asking.release(mine);
        } catch (LockStoreException e) {
          assertTrue(e.getMessage().contains("0 of 1 replicas"), e.getMessage());
          assertTrue(asking.inspect(mine.name()).isEmpty());
        }
      }
    }
    assertEquals(1, granted);
  }

  @Test
  void anApplicationsClientIsUsedAndNotClosed() {
    RedisClusterClient client = RedisClusterClient.create(RedisURI.create(cluster.uri()));
    LeaseKey mine = key("own", "a:1");
    try (StoreOps own = new StoreOps(RedisSetLocks.over(client).open())) {
      assertInstanceOf(Granted.class, own.acquire(mine));
      own.watch(mine, () -> {}).close();
      own.release(mine);
    }
    assertEquals("PONG", client.connect().sync().ping());
    client.shutdown();
  }
}
