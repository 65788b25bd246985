package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What remains when all nodes restart at once")
class PersistenceTest {
  /** Nodes have a tenth of it to answer: the longest that there is. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private static final LockOptions RENEWED = LockOptions.builder().automaticLease(LONGEST).build();
  private static final ServerOptions EVERY_SECOND = ServerOptions.defaults().withAppendOnlyFile();
  private static final ServerOptions ALWAYS = EVERY_SECOND.with("--appendfsync", "always");

  private static LockManager open(ServerGroup nodes) {
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.redlock.nodes",
                nodes.uri(),
                "lock.redlock.longest-lease",
                LONGEST.toMillis() + "ms")));
  }

  private static boolean allHave(ServerGroup nodes, String key) {
    return nodes.servers().stream().allMatch(node -> node.call("GET", key).isPresent());
  }

  /** As if the servers' clocks had been an hour ahead until now. */
  private static void anHourAhead(ServerGroup nodes, String name) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plusSeconds(3600));
    nodes
        .servers()
        .forEach(node -> node.call("SET", "lh:{" + name + "}:fence", Long.toString(micros)));
  }

  /** Takes a lock that is free, however late nodes answer. */
  private static Lease taken(LockManager locks, String name) {
    return Await.value(locks.lock(name, RENEWED).tryAcquireAsync(Duration.ofSeconds(20)))
        .orElseThrow();
  }

  /** Whether a majority says no, however late some nodes answer. */
  private static boolean isRefused(LockManager locks, String name) {
    for (int i = 0; i < 5; i++) {
      try {
        return locks.lock(name, RENEWED).tryAcquire().isEmpty();
      } catch (LockStoreException late) {
        Await.pass(Duration.ofMillis(200));
      }
    }
    return locks.lock(name, RENEWED).tryAcquire().isEmpty();
  }

  @Test
  @DisplayName("with appendfsync always: holders renew all along, no other owner gets anything")
  void always() {
    try (ServerGroup nodes = ServerGroup.start(3, ALWAYS, NodeOperations::admit);
        LockManager holder = open(nodes);
        LockManager other = open(nodes)) {
      assertEquals(
          "[appendfsync, always]",
          nodes.servers().get(0).call("CONFIG", "GET", "appendfsync").orElseThrow().toString());
      anHourAhead(nodes, "l");
      Lease lease = taken(holder, "l");
      Await.until("all have it", () -> allHave(nodes, "lh:{l}"));
      nodes.kill();
      long killedAt = System.nanoTime();
      nodes.servers().parallelStream().forEach(node -> node.restart(Data.KEEP));
      Await.until(
          "nodes vote again",
          () -> {
            assertTrue(lease.isValid(), "renewals go on");
            return isTaken(other, "free");
          });
      Duration waited = Duration.ofNanos(System.nanoTime() - killedAt);
      assertTrue(waited.compareTo(LONGEST) > 0, () -> "waited only " + waited);
      assertTrue(lease.isValid(), "it was renewed for longer than a lease lasts");
      assertTrue(isRefused(other, "l"));
      lease.release();
      Lease next = taken(other, "l");
      assertTrue(next.fencingToken() > lease.fencingToken(), "tokens grow, whatever clocks say");
      next.release();
    }
  }

  private static boolean isTaken(LockManager locks, String name) {
    try {
      Optional<Lease> lease = locks.lock(name, RENEWED).tryAcquire();
      lease.ifPresent(Lease::release);
      return lease.isPresent();
    } catch (LockStoreException quarantined) {
      return false;
    }
  }

  @Test
  @DisplayName("with appendfsync everysec: the last second's locks and fencing tokens are lost")
  void everySecond() {
    try (ServerGroup nodes = ServerGroup.start(3, EVERY_SECOND, NodeOperations::admit);
        LockManager holder = open(nodes);
        LockManager other = open(nodes)) {
      Lease old = taken(holder, "old");
      Await.until("all have it", () -> allHave(nodes, "lh:{old}"));
      List<Path> files = nodes.servers().stream().map(NodeOperations::appendOnlyFile).toList();
      List<Long> synced = files.stream().map(NodeOperations::size).toList();
      anHourAhead(nodes, "young");
      Lease young = taken(holder, "young");
      Await.until("all have it", () -> allHave(nodes, "lh:{young}"));
      nodes.kill();
      for (int i = 0; i < synced.size(); i++) {
        NodeOperations.truncate(files.get(i), synced.get(i));
      }
      nodes.servers().parallelStream().forEach(node -> node.restart(Data.KEEP));
      Await.until("the loss is signalled", () -> young.lost().toCompletableFuture().isDone());
      assertThrows(LockStoreException.class, () -> other.lock("young", RENEWED).tryAcquire());
      nodes.servers().forEach(NodeOperations::admit); // the clocks decide, however long it waits
      Lease next = taken(other, "young");
      assertTrue(next.fencingToken() < young.fencingToken(), "the clocks were an hour apart");
      next.release();
      assertTrue(old.isValid(), "a lock that has reached the disks goes on");
      assertTrue(isRefused(other, "old"));
      old.release();
    }
  }

  @Test
  @DisplayName("without a file: nothing")
  void none() {
    try (ServerGroup nodes = ServerGroup.start(3, ServerOptions.defaults(), NodeOperations::admit);
        LockManager holder = open(nodes)) {
      Lease lease = holder.lock("l", RENEWED).tryAcquire().orElseThrow();
      nodes.kill();
      nodes.servers().forEach(node -> node.restart(Data.LOSE));
      Await.until("the loss is signalled", () -> lease.lost().toCompletableFuture().isDone());
      assertThrows(LockStoreException.class, () -> holder.lock("other", RENEWED).tryAcquire());
    }
  }
}
