package dev.leasehold.examples.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Heard;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerGroup;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Refusals of a server name the kind of lock, in the same words by every backend")
class KindWordsTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration LONGER = Duration.ofSeconds(25);

  /** Calls, by their description in messages. */
  private static Map<String, Executable> asked(LockManager locks) {
    DistributedReadWriteLock sides = locks.readWriteLock("page");
    DistributedSemaphore permits = locks.semaphore("export", 2);
    Map<String, Executable> all = new LinkedHashMap<>();
    all.put("acquire lock 'orders'", () -> locks.lock("orders").tryAcquire());
    all.put("inspect lock 'orders'", () -> locks.lock("orders").inspect());
    all.put("acquire read lock 'page'", () -> sides.read().tryAcquire());
    all.put("acquire write lock 'page'", () -> sides.write().tryAcquire());
    all.put("inspect read lock 'page'", () -> sides.read().inspect());
    all.put("inspect write lock 'page'", () -> sides.write().inspect());
    all.put("acquire semaphore 'export'", permits::tryAcquire);
    all.put("count semaphore 'export'", permits::available);
    all.put("resize semaphore 'export'", () -> permits.resize(3));
    if (locks.guarantees().contains(Guarantee.LATCH)) {
      DistributedLatch latch = locks.latch("loaded");
      all.put("open latch 'loaded'", () -> latch.open(2, DAY));
      all.put("count down latch 'loaded'", latch::countDown);
      all.put("look at latch 'loaded'", latch::count);
    }
    return all;
  }

  /** Calls that renew holds of another manager, by their description in messages. */
  private static Map<String, Executable> renewed(LockManager locks) {
    Lease lock = locks.lock("orders").tryAcquire().orElseThrow();
    Lease read = locks.readWriteLock("page").read().tryAcquire().orElseThrow();
    Lease write = locks.readWriteLock("other page").write().tryAcquire().orElseThrow();
    Lease permit = locks.semaphore("export", 2).tryAcquire().orElseThrow();
    assertTrue(locks.latch("loaded").open(1, DAY));
    return Map.of(
        "renew lock 'orders'", () -> lock.extend(LONGER),
        "renew read lock 'page'", () -> read.extend(LONGER),
        "renew write lock 'other page'", () -> write.extend(LONGER),
        "renew semaphore 'export'", () -> permit.extend(LONGER));
  }

  /** Replaces each key by one of a type that no lock uses. */
  private static void spoilAllKeys(RedisServer server) {
    for (Object key : (List<?>) server.call("KEYS", "*").orElseThrow()) {
      if (!key.equals("lh:node")) {
        server.call("DEL", String.valueOf(key));
        server.call("LPUSH", String.valueOf(key), "of another type");
      }
    }
  }

  private static LockSettings settings(BackendModes kind, List<String> uris) {
    Map<String, String> all = kind.settings(uris);
    all.put("lock.close-grace", "10ms");
    all.put("lock.lease", "20s"); // on Redisson's keys a lease can only be extended to 30 s
    return LockSettings.of(all);
  }

  private static void refuses(String what, Executable call) {
    LockStoreException told = assertThrows(LockStoreException.class, call, what);
    assertEquals(Kind.REFUSED, told.kind(), what);
    String words = String.valueOf(told.getMessage());
    assertTrue(words.startsWith("Could not " + what + ": ") && words.contains("WRONGTYPE"), words);
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("of each kind, whatever is asked of it")
  void refused(BackendModes kind) {
    Heard heard = new Heard();
    try (RedisServer server = RedisServers.start()) {
      LockSettings settings = settings(kind, List.of(server.uri()));
      try (LockManager locks = LockManager.open(settings);
          LockManager other = LockManager.open(settings)) {
        Map<String, Executable> renewed = renewed(locks);
        spoilAllKeys(server);
        renewed.forEach(KindWordsTest::refuses);
        asked(other).forEach(KindWordsTest::refuses);
      }
    } finally {
      heard.close();
    }
  }

  @Test
  @DisplayName("of each kind, by each node of a quorum")
  void refusedByNodes() {
    Heard heard = new Heard();
    try (ServerGroup nodes = NewNodes.three()) {
      List<RedisServer> servers = nodes.servers();
      LockSettings settings =
          settings(BackendModes.REDLOCK, servers.stream().map(RedisServer::uri).toList());
      try (LockManager locks = LockManager.open(settings);
          LockManager other = LockManager.open(settings)) {
        locks.lock("orders").tryAcquire().orElseThrow();
        locks.readWriteLock("page").read().tryAcquire().orElseThrow();
        locks.semaphore("export", 2).tryAcquire().orElseThrow();
        servers.forEach(KindWordsTest::spoilAllKeys);
        asked(other)
            .forEach(
                (what, call) -> {
                  if (what.startsWith("acquire ")) {
                    String words =
                        String.valueOf(assertThrows(LockStoreException.class, call).getMessage());
                    assertTrue(words.contains(": Could not " + what + ": "), words);
                  }
                });
      }
    } finally {
      heard.close();
    }
  }
}
