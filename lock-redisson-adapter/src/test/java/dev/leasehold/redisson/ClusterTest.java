package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.PATIENT;
import static dev.leasehold.redisson.Apps.WELL_BEFORE;
import static dev.leasehold.redisson.Apps.took;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisCluster;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A cluster")
class ClusterTest {
  private static final List<String> NAMES = List.of("a", "b c", "d{e}f", "käse", "{i}");

  /** As {@link Apps#PATIENT}, but no longer than a read lease may be. */
  private static final LockOptions PATIENT_READER =
      PATIENT.toBuilder().fixedLease(Duration.ofSeconds(25)).build();

  private static LockManager open(String mode, String uri, String... more) {
    Map<String, String> all =
        new java.util.HashMap<>(
            Map.of("lock.backend", "redisson", "lock.redisson.mode", mode, "lock.redis.uri", uri));
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return LockManager.open(LockSettings.of(all));
  }

  private static void kinds(LockManager one, LockManager other) throws Exception {
    for (String name : NAMES) {
      Lease write = one.readWriteLock(name + "-rw", PATIENT_READER).write().acquire();
      Lease permit = one.semaphore(name + "-permits", 1).acquire();
      CompletableFuture<Lease> reads =
          other
              .readWriteLock(name + "-rw", PATIENT_READER)
              .read()
              .acquireAsync()
              .toCompletableFuture();
      CompletableFuture<Lease> waits =
          other.semaphore(name + "-permits", 1, PATIENT).acquireAsync(1).toCompletableFuture();
      Await.pass(Duration.ofMillis(100)); // mostly they listen then
      write.release();
      permit.release();
      assertTrue(took(reads).compareTo(WELL_BEFORE) < 0, name);
      assertTrue(took(waits).compareTo(WELL_BEFORE) < 0, name);
      assertTrue(Await.value(reads).fencingToken() > write.fencingToken());
      Await.value(reads).release();
      Await.value(waits).release();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "fair"})
  @DisplayName("In a cluster a lock's keys are in one slot, and its message reaches the waiters")
  void cluster(String mode) throws Exception {
    try (RedisCluster cluster =
        RedisCluster.start(RedisServers.kind(), 3, 0, ServerOptions.defaults())) {
      RedisServer seed = cluster.primaries().get(0);
      String uri = "redis://" + seed.host() + ":" + seed.port();
      try (LockManager one = open(mode, uri, "lock.redis.cluster", "true", "lock.lease", "2s");
          LockManager other = open(mode, uri, "lock.redis.cluster", "true")) {
        List<Lease> held = new ArrayList<>();
        for (String name : NAMES) {
          held.add(one.lock(name).acquire());
        }
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (String name : NAMES) {
          assertEquals(Optional.empty(), other.lock(name).tryAcquire());
          waiting.add(other.lock(name, PATIENT).acquireAsync().toCompletableFuture());
        }
        Await.pass(Duration.ofSeconds(3)); // renewed, all over the cluster
        for (int i = 0; i < held.size(); i++) {
          assertTrue(held.get(i).isValid(), NAMES.get(i));
          long before = held.get(i).fencingToken();
          held.get(i).release();
          assertTrue(took(waiting.get(i)).compareTo(WELL_BEFORE) < 0, NAMES.get(i));
          Lease next = Await.value(waiting.get(i));
          assertTrue(next.fencingToken() > before);
          next.release();
        }
        if (mode.equals("plain")) {
          kinds(one, other);
        }
        // Redisson's own keys for such a name lie in two slots. Better refused than not released.
        for (String name : List.of("g}h", "a{b")) {
          DistributedLock torn = one.lock(name);
          LockStoreException refused = assertThrows(LockStoreException.class, torn::tryAcquire);
          assertEquals(Kind.REFUSED, refused.kind());
        }
      }
    }
  }
}
