package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A user who may not run scripts, on a server that compares and deletes by itself")
@ParameterizedClass
@EnumSource(ServerKind.class)
class CommandStoreTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private static final LeaseKey B = new LeaseKey("x", "b:2");

  private final ServerKind kind;
  private TestServer server;

  CommandStoreTest(ServerKind kind) {
    this.kind = kind;
  }

  @BeforeEach
  void start() {
    server = kind.start();
    restrict(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** All that is needed, and no more: the README has the same. */
  private void restrict(TestServer on, String... more) {
    String rights =
        "ACL SETUSER bare on >secret resetchannels ~lh:* +hello +ping +info +client|setname +set"
            + " +get +pttl +time ";
    String delete = kind.compareAndDelete().map(name -> "+" + name + " ").orElse("");
    on.call((rights + delete + String.join(" ", more)).trim().split(" "));
  }

  private Map<String, String> bare(String uri, String... more) {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "lock.redis.uri", uri,
                "lock.redis.username", "bare",
                "lock.redis.password", "secret"));
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  private StoreOps open(String... more) {
    assumeTrue(kind.compareAndDelete().isPresent(), () -> kind + " has no compare-and-delete");
    return StoreOps.open(bare(server.uri(), more));
  }

  private LockManager manager(String... more) {
    assumeTrue(kind.compareAndDelete().isPresent(), () -> kind + " has no compare-and-delete");
    Map<String, String> all = bare(server.uri(), more);
    all.put("lock.backend", "redis-set");
    return LockManager.open(LockSettings.of(all));
  }

  private String refusal(String... more) {
    return assertThrows(
            LockConfigurationException.class, () -> StoreOps.open(bare(server.uri(), more)).close())
        .getMessage();
  }

  @Test
  @DisplayName("has fenced locks, or learns what to permit where the server does not")
  void opens() {
    if (kind.compareAndDelete().isEmpty()) {
      assertTrue(refusal().contains("permit the commands EVAL and EVALSHA"), refusal());
      return;
    }
    try (StoreOps store = open()) {
      assertEquals(
          Set.of(
              Guarantee.OWNED,
              Guarantee.SERVER_EXPIRY,
              Guarantee.CLOCK_INDEPENDENT,
              Guarantee.FENCING,
              Guarantee.MINIMUM_HOLD),
          store.store().guarantees());
      Granted granted = assertInstanceOf(Granted.class, store.acquire(A));
      assertEquals("a:1", server.admin().get("lh:{x}"));
      assertEquals(granted.fence().orElseThrow() + "+0", server.admin().get("lh:{x}:fence"));
      assertInstanceOf(Held.class, store.acquire(B));
      assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofMinutes(1)));
      assertTrue(server.admin().pttl("lh:{x}") > 59_000);
      assertEquals(granted.fence(), store.inspect("x").orElseThrow().fence());
      assertEquals(ReleaseResult.NOT_OWNER, store.release(B));
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      assertEquals(List.of("lh:{x}:fence"), server.admin().keys("*"));
    }
  }

  @Test
  @DisplayName("has no fair locks and no plain ones")
  void modes() {
    for (String[] each :
        List.of(
            new String[] {"lock.redis.fair", "true"},
            new String[] {"lock.redis-set.mode", "plain"})) {
      assertTrue(refusal(each).contains("needs scripts, which are refused here"), refusal(each));
    }
  }

  @Test
  @DisplayName("has no other kinds of locks, and an error says so")
  void kinds() {
    try (LockManager locks = manager()) {
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> locks.semaphore("x", 2));
      assertTrue(e.getMessage().contains("PERMITS"), e.getMessage());
    }
  }

  @Test
  @DisplayName("counts right under the lock, from two managers")
  void excludes() throws Exception {
    try (LockManager one = manager();
        LockManager other = manager()) {
      assertEquals(200, count(List.of(one.lock("x"), other.lock("x"))));
    }
  }

  @Test
  @DisplayName("would count wrong without it")
  void twin() throws Exception {
    try (LockManager one = manager();
        LockManager other = manager()) {
      List<DistributedLock> apart = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        apart.add((i % 2 == 0 ? one : other).lock("x" + i));
      }
      assertTrue(count(apart) < 200);
    }
  }

  private static int count(List<DistributedLock> locks) throws Exception {
    int[] count = new int[1];
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      DistributedLock lock = locks.get(t % locks.size());
      all.add(
          pool.submit(
              () -> {
                for (int i = 0; i < 50; i++) {
                  try (Lease lease = lock.acquire()) {
                    int read = count[0];
                    LockSupport.parkNanos(1_000_000);
                    assertTrue(lease.isValid());
                    count[0] = read + 1;
                  }
                }
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get(60, TimeUnit.SECONDS);
    }
    pool.shutdown();
    return count[0];
  }

  @Test
  @DisplayName("shares locks with users who may run scripts")
  void besideScripts() {
    try (StoreOps store = open();
        StoreOps scripts = StoreOps.open(Map.of("lock.redis.uri", server.uri()))) {
      long fence = 0;
      for (int i = 0; i < 10; i++) {
        StoreOps holder = i % 2 == 0 ? store : scripts;
        Granted granted = assertInstanceOf(Granted.class, holder.acquire(A));
        assertTrue(granted.fence().orElseThrow() > fence, "fences increase");
        fence = granted.fence().orElseThrow();
        assertInstanceOf(Held.class, (i % 2 == 0 ? scripts : store).acquire(B));
        assertEquals(ReleaseResult.RELEASED, holder.release(A));
      }
    }
  }

  @Test
  @DisplayName("releases a lock that a user with scripts waits for, which asks within a second")
  void scriptsWait() throws Exception {
    try (LockManager one = manager();
        LockManager scripts =
            LockManager.open(
                LockSettings.of(
                    Map.of("lock.backend", "redis-set", "lock.redis.uri", server.uri())))) {
      Lease held = one.lock("x").acquire();
      Future<Lease> waiter = scripts.lock("x").acquireAsync().toCompletableFuture();
      Await.until("it waits", () -> server.admin().zcard("lh:{x}:wait") == 1);
      long begun = System.nanoTime();
      held.release();
      waiter.get(30, TimeUnit.SECONDS).release();
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      assertTrue(took.compareTo(Duration.ofMillis(2500)) < 0, () -> "it took " + took);
    }
  }

  @Test
  @DisplayName("leaves nothing behind where one of the commands is refused")
  void refused() {
    try (StoreOps store = open()) {
      server.admin().rpush("lh:{x}:fence", "no fence");
      LockStoreException e = assertThrows(LockStoreException.class, () -> store.acquire(A));
      assertEquals(LockStoreException.Kind.REFUSED, e.kind());
      assertEquals(0, server.admin().exists("lh:{x}"));
    }
  }

  @Test
  @DisplayName("may need replicas that have the lock")
  void replicas() {
    restrict(server, "+wait");
    try (StoreOps store =
        open("lock.redis-set.wait-replicas", "1", "lock.redis-set.wait-timeout", "300ms")) {
      for (int i = 0; i < 2; i++) {
        LockStoreException e = assertThrows(LockStoreException.class, () -> store.acquire(A));
        assertEquals(LockStoreException.Kind.UNAVAILABLE, e.kind());
        assertTrue(e.getMessage().contains("0 of 1 replicas"), e.getMessage());
        store.release(A);
        assertEquals(0, server.admin().exists("lh:{x}"));
      }
    }
  }

  @Test
  @DisplayName("follows slots that move, in a cluster")
  void cluster() {
    assumeTrue(kind.compareAndDelete().isPresent(), () -> kind + " has no compare-and-delete");
    try (TestCluster cluster = TestCluster.start(kind)) {
      cluster.nodes().forEach(node -> restrict(node, "+cluster|nodes", "+cluster|myid", "+asking"));
      try (StoreOps store = StoreOps.open(bare(cluster.uri(), "lock.redis.cluster", "true"))) {
        for (int node = 0; node < 3; node++) {
          LeaseKey key = new LeaseKey(cluster.nameOn(node), "a:1");
          assertInstanceOf(Granted.class, store.acquire(key));
          assertEquals(ReleaseResult.RELEASED, store.release(key));
        }
        moves(cluster, store);
      }
    }
  }

  private static void moves(TestCluster cluster, StoreOps store) {
    String name = cluster.nameOn(2);
    LeaseKey key = new LeaseKey(name, "c:3");
    store.acquire(key);
    store.release(key); // the fence is there
    String slot = Integer.toString(SlotHash.getSlot(name));
    TestServer from = cluster.node(2);
    TestServer to = cluster.node(1);
    to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", from.admin().clusterMyId());
    from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", to.admin().clusterMyId());
    // Reserved on the new node, while the fence is on the old one.
    LockStoreException e = assertThrows(LockStoreException.class, () -> store.acquire(key));
    assertEquals(LockStoreException.Kind.UNAVAILABLE, e.kind());
    assertTrue(e.getMessage().contains("TRYAGAIN (the cluster is moving"), e.getMessage());
    store.release(key);
    from.call("MIGRATE", "127.0.0.1", "" + to.port(), "lh:{" + name + "}:fence", "0", "5000");
    // The keys are not on the old node, which answers ASK.
    assertInstanceOf(Granted.class, store.acquire(key));
    assertInstanceOf(Held.class, store.acquire(new LeaseKey(name, "d:4")));
    for (TestServer node : List.of(to, from)) {
      node.call("CLUSTER", "SETSLOT", slot, "NODE", to.admin().clusterMyId());
    }
    assertEquals(RenewResult.RENEWED, store.renew(key, Duration.ofMinutes(2))); // MOVED
    assertEquals(ReleaseResult.RELEASED, store.release(key));
    assertFalse(store.inspect(name).isPresent());
  }
}
