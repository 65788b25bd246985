package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("On a quorum of three")
class QuorumAdminTest extends Opened {
  private static ServerGroup group;

  @BeforeAll
  static void start() {
    group = ServerGroup.start(3, ServerOptions.defaults(), QuorumAdminTest::admit);
  }

  /** No lock was held on it before: it votes at once. */
  private static void admit(RedisServer server) {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
  }

  @AfterAll
  static void stop() {
    group.close();
  }

  @BeforeEach
  void empty() {
    for (RedisServer server : group.servers()) {
      server.call("FLUSHALL");
      admit(server);
    }
  }

  private static LockSettings settings() {
    return LockSettings.of(
        Map.of(
            "lock.backend",
            "redlock",
            "lock.redlock.nodes",
            group.servers().stream().map(RedisServer::uri).collect(Collectors.joining(",")),
            "lock.lease",
            "5s", // nodes have a tenth of it to answer
            "lock.close-grace",
            "0s"));
  }

  private LockManager process(String label) {
    return process(label, settings());
  }

  private LockAdmin admin() {
    return admin(settings());
  }

  private static LockDetails only(LockAdmin admin, String name) {
    return only(admin.show(name));
  }

  @Test
  @DisplayName("Each lock is listed once, with its votes; slots are permits")
  void listed() throws Exception {
    LockManager one = process("one");
    Lease lease = one.lock("orders").acquire();
    one.readWriteLock("page").read().acquire();
    one.semaphore("export", 4).acquire(2);
    LockAdmin admin = admin();
    Await.until(
        "all nodes vote",
        () -> only(admin, "orders").entry().holds().get(0).votes().nodes().size() == 3);
    List<ListedLock> entries = admin.list("*").stream().toList();
    assertEquals(3, entries.size(), entries::toString);
    for (ListedLock entry : entries) {
      assertEquals(1, entry.holds().size(), entry::toString);
      assertTrue(entry.holds().get(0).votes().enough(), entry::toString);
      if (entry.kind() == KindOfLock.SEMAPHORE) {
        assertEquals(2, entry.holds().get(0).permits());
        assertEquals(4, entry.permits().orElseThrow());
        assertTrue(entry.holds().get(0).fencingToken().isPresent());
      }
    }
    ListedHold hold = only(admin, "orders").entry().holds().get(0);
    assertEquals(lease.fencingToken(), hold.fencingToken().orElseThrow());
    LockDetails semaphore = only(admin, "export");
    assertInstanceOf(
        BreakResult.Broken.class, admin.breakLock("export", semaphore.entry().holds().get(0).id()));
    assertEquals(0, only(admin, "export").entry().holders());
  }

  @Test
  @DisplayName("A hold is broken on all nodes, its holder notified, and its waiter served")
  void broken() throws Exception {
    Lease lease = process("one").lock("orders").acquire();
    LockAdmin admin = admin();
    CompletableFuture<Lease> waiting =
        process("two").lock("orders").acquireAsync().toCompletableFuture();
    Await.until("it waits", () -> only(admin, "orders").waiters().size() == 1);
    assertEquals("two", only(admin, "orders").waiters().get(0).holder());
    var broken =
        assertInstanceOf(
            BreakResult.Broken.class,
            admin.breakLock("orders", only(admin, "orders").entry().holds().get(0).id()));
    assertTrue(broken.nodes().size() >= 2, broken::toString);
    Lease next = Await.value(waiting);
    assertTrue(next.fencingToken() > lease.fencingToken());
    assertEquals(LeaseLoss.Reason.NOT_OWNER, Await.value(lease.lost()).reason());
    assertInstanceOf(
        BreakResult.HeldByAnother.class, admin.breakLock("orders", broken.hold().id()));
    assertTrue(next.isValid());
  }

  @Test
  @DisplayName("Gently, all nodes keep others out until the deadline")
  void gently() throws Exception {
    LockManager two = process("two");
    LockManager three = process("three");
    LockOptions awaited = LockOptions.builder().automaticLease(Duration.ofSeconds(4)).build();
    Lease lease = process("one").lock("orders", awaited).acquire();
    LockAdmin admin = admin();
    assertInstanceOf(
        BreakResult.Broken.class,
        admin.breakGently("orders", only(admin, "orders").entry().holds().get(0).id()));
    assertEquals(HoldState.KEPT, only(admin, "orders").entry().holds().get(0).state());
    assertTrue(two.lock("orders").tryAcquire().isEmpty());
    Lease next = three.lock("orders").acquire();
    assertFalse(lease.isValid());
    assertTrue(next.fencingToken() > lease.fencingToken());
  }

  @Test
  @DisplayName("Maintenance needs a majority, and is refused by a held lock")
  void maintained() throws Exception {
    LockManager one = process("one");
    LockAdmin admin = admin();
    Instant until = Instant.now().plus(Duration.ofHours(1));
    var taken =
        assertInstanceOf(MaintainResult.Taken.class, admin.maintain("orders", "restore", until));
    assertEquals(3, taken.hold().votes().nodes().size());
    assertTrue(one.lock("orders").tryAcquire().isEmpty());
    assertEquals(taken.hold().holder(), one.lock("orders").inspect().orElseThrow().holder());
    assertInstanceOf(BreakResult.Broken.class, admin.endMaintenance("orders"));
    Lease lease = one.lock("orders").tryAcquire().orElseThrow();
    assertTrue(lease.fencingToken() > taken.hold().fencingToken().orElseThrow());
    assertInstanceOf(MaintainResult.Refused.class, admin.maintain("orders", "restore", until));
    assertEquals(1, only(admin, "orders").entry().holds().size());
    lease.release();
  }

  @Test
  @DisplayName("With one node down everything works, and the node is named")
  void oneDown() throws Exception {
    RedisServer down = group.servers().get(0);
    Lease lease = process("one").lock("orders").acquire();
    LockAdmin before = admin();
    down.kill();
    try {
      for (LockAdmin admin : List.of(before, admin())) {
        LockListing listing = admin.list("*");
        assertEquals(List.of("orders"), listing.stream().map(ListedLock::name).toList());
        assertTrue(
            listing.omissions().stream()
                .anyMatch(
                    omission ->
                        omission.reason() == Omission.Reason.NODE_UNREACHABLE
                            && omission.words().contains(":" + down.port())),
            () -> listing.omissions().toString());
        NodeState state = only(admin, "orders").nodes().get(0);
        assertTrue(state.failure().isPresent(), state::toString);
      }
      var broken =
          assertInstanceOf(
              BreakResult.Broken.class,
              before.breakLock("orders", only(before, "orders").entry().holds().get(0).id()));
      assertEquals(2, broken.nodes().size());
      assertEquals(1, broken.failed().size());
      assertEquals(LeaseLoss.Reason.NOT_OWNER, Await.value(lease.lost()).reason());
      Instant until = Instant.now().plusSeconds(60);
      assertInstanceOf(MaintainResult.Taken.class, before.maintain("other", "x", until));
      group.servers().get(1).kill();
      try {
        assertInstanceOf(MaintainResult.TooFewNodes.class, before.maintain("third", "x", until));
        assertInstanceOf(
            BreakResult.TooFewNodes.class,
            before.breakLock("other", only(before, "other").entry().holds().get(0).id()));
      } finally {
        group.servers().get(1).restart(Data.LOSE);
        admit(group.servers().get(1));
      }
    } finally {
      down.restart(Data.LOSE);
      admit(down);
    }
    assertEquals(List.of(), before.show("third"), "what too few nodes granted was given back");
  }

  @Test
  @DisplayName(
      "A node that may have forgotten locks does not vote, and neither does one that is away")
  void voting() throws Exception {
    RedisServer node = group.servers().get(0);
    process("one").lock("orders").acquire();
    LockAdmin admin = admin();
    assertEquals(3, admin.nodes().stream().filter(VotingNode::votes).count());
    assertTrue(quorum(admin).contains("3 of 3 nodes vote"), () -> quorum(admin));
    node.kill();
    try {
      Await.until("it is away", () -> admin.nodes().get(0).failure().isPresent());
      assertTrue(quorum(admin).contains("2 of 3 nodes vote"), () -> quorum(admin));
    } finally {
      node.restart(Data.LOSE);
    }
    Await.until("it is back", () -> admin.nodes().get(0).failure().isEmpty());
    VotingNode back = admin.nodes().get(0);
    assertTrue(back.quarantine().toSeconds() > 50, "the longest lease, by default: " + back);
    assertFalse(back.votes());
    assertTrue(quorum(admin).contains("may have forgotten locks"), () -> quorum(admin));
    Await.until("it counts, since the client has met it", () -> left(admin) < 59_000);
    admit(node);
    assertTrue(admin.nodes().get(0).votes());
  }

  private static long left(LockAdmin admin) {
    return admin.nodes().get(0).quarantine().toMillis();
  }

  private static String quorum(LockAdmin admin) {
    return admin.examine().stream()
        .filter(finding -> finding.topic() == Finding.Topic.QUORUM)
        .map(Finding::text)
        .collect(Collectors.joining("; "));
  }

  @Test
  @DisplayName("No node at all is an error")
  void noneReachable() {
    assertThrows(
        LockStoreException.class,
        () ->
            LockAdmin.open(
                LockSettings.of(
                    Map.of(
                        "lock.redlock.nodes",
                        "redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:3"))));
  }
}
