package dev.leasehold.testkit.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.testkit.server.RedisServer.Capability;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Servers that belong together")
class TopologiesTest {
  @BeforeEach
  void processes() {
    assumeTrue(
        RedisServers.capabilities().contains(Capability.TOPOLOGY),
        () -> "not run: a server of kind " + RedisServers.kind() + " is no process of ours");
  }

  @Test
  @DisplayName("A promoted replica lacks the last writes of the primary")
  void lostWrites() {
    try (RedisReplication group = RedisReplication.start(1)) {
      RedisServer old = group.primary();
      RedisServer replica = group.replicas().get(0);
      old.call("SET", "early", "1");
      group.awaitInSync();
      group.disconnect(replica);
      old.call("SET", "lock", "token");
      group.promote(replica);
      assertSame(replica, group.primary());
      assertEquals(List.of(old), group.replicas());
      assertEquals(Optional.of("1"), replica.call("GET", "early"));
      assertEquals(Optional.empty(), replica.call("GET", "lock"));
      assertEquals(Optional.of("OK"), replica.call("SET", "lock", "other"));
      assertEquals(Optional.of("token"), old.call("GET", "lock"));
    }
  }

  @Test
  @DisplayName("Replicas follow a primary that asks for a password; WAIT counts them")
  void replicasWithPassword() {
    ServerOptions options = ServerOptions.defaults().withPassword("secret");
    try (RedisReplication group = RedisReplication.start(RedisServers.kind(), 2, options);
        RespConnection connection = group.primary().connect()) {
      connection.call("SET", "a", "1");
      assertEquals(2L, connection.number("WAIT", "2", "10000"));
      RedisServer replica = group.replicas().get(0);
      assertEquals(
          "READONLY",
          assertThrows(RespConnection.ServerError.class, () -> replica.call("SET", "a", "2"))
              .code());
    }
  }

  @Test
  @DisplayName("Sentinels promote a replica when the primary is killed")
  void sentinel() {
    try (SentinelCluster cluster = SentinelCluster.start()) {
      RedisServer old = cluster.primary();
      assertEquals(3, cluster.sentinels().size());
      old.call("SET", "a", "1");
      RedisServer now = cluster.failOver();
      assertNotSame(old, now);
      assertEquals(Optional.of("OK"), now.call("SET", "b", "2"));
      assertEquals(List.of(old), cluster.replicas());
    }
  }

  @Test
  @DisplayName("A cluster answers for all slots, and replaces a primary that was killed")
  void cluster() {
    try (RedisCluster cluster =
        RedisCluster.start(RedisServers.kind(), 3, 1, ServerOptions.defaults())) {
      assertEquals(3, cluster.primaries().size());
      assertEquals(3, cluster.replicas().size());
      for (String key : List.of("a", "b", "c", "lh:{x}")) {
        RedisServer owner = cluster.owner(key);
        assertEquals(Optional.of("OK"), owner.call("SET", key, "1"));
        RedisServer other =
            cluster.primaries().stream().filter(node -> node != owner).findFirst().orElseThrow();
        assertEquals(
            "MOVED",
            assertThrows(RespConnection.ServerError.class, () -> other.call("GET", key)).code());
      }
      assertEquals(cluster.slot("lh:{x}"), cluster.slot("lh:{x}:fence"));
      RedisServer old = cluster.owner("a");
      RedisServer now = cluster.failOver(old);
      assertSame(now, cluster.owner("a"));
      assertEquals(Optional.of("OK"), now.call("SET", "a", "2"));
    }
  }

  @Test
  @DisplayName("A server that runs already can't be made part of one")
  void notOurs() {
    assertThrows(
        UnsupportedOperationException.class,
        () -> RedisReplication.start("redis://127.0.0.1:1", 1, ServerOptions.defaults()));
  }
}
