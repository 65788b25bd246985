package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisCluster;
import dev.leasehold.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("On a cluster")
class ClusterAdminTest {

  private static LockSettings settings(RedisCluster cluster, String label) {
    return LockSettings.of(
        Map.of(
            "lock.backend", "redis-set",
            "lock.redis.cluster", "true",
            "lock.redis.uri",
                "redis://"
                    + cluster.nodes().stream()
                        .map(node -> node.host() + ":" + node.port())
                        .collect(Collectors.joining(",")),
            "lock.close-grace", "0s",
            "lock.label", label));
  }

  @Test
  @DisplayName("The locks of all primaries are listed; one is shown, broken and passed on")
  void all() throws Exception {
    try (RedisCluster cluster = RedisCluster.start();
        LockManager one = LockManager.open(settings(cluster, "one"));
        LockManager two = LockManager.open(settings(cluster, "two"));
        LockAdmin admin = LockAdmin.open(settings(cluster, "admin"))) {
      Set<String> names = new HashSet<>();
      for (int i = 0; i < 30; i++) {
        one.lock("order-" + i).acquire();
        names.add("order-" + i);
      }
      for (RedisServer node : cluster.nodes()) {
        assertTrue((Long) node.call("DBSIZE").orElseThrow() > 5, "each has some");
      }
      assertEquals(
          names, admin.list("*").stream().map(ListedLock::name).collect(Collectors.toSet()));
      assertEquals(1, admin.list("order-7").stream().count());
      CompletableFuture<Lease> waiting = two.lock("order-7").acquireAsync().toCompletableFuture();
      Await.until("it waits", () -> admin.show("order-7").get(0).waiters().size() == 1);
      LockDetails shown = admin.show("order-7").get(0);
      assertTrue(shown.connections().get("one").size() >= 1, shown::toString);
      var broken =
          assertInstanceOf(
              BreakResult.Broken.class,
              admin.breakLock("order-7", shown.entry().holds().get(0).id()));
      assertTrue(broken.wokeWaiter());
      Await.value(waiting).release();
      Instant until = Instant.now().plus(Duration.ofHours(1));
      assertInstanceOf(MaintainResult.Taken.class, admin.maintain("order-7", "x", until));
      assertTrue(two.lock("order-7").tryAcquire().isEmpty());
      assertInstanceOf(BreakResult.Broken.class, admin.endMaintenance("order-7"));
      List<Finding> findings = admin.examine();
      assertEquals(
          cluster.nodes().size(),
          findings.stream().filter(f -> f.topic() == Finding.Topic.CLOCK).count(),
          "each primary is looked at: " + findings);
      assertEquals(List.of(), admin.show("order-7"));
    }
  }
}
