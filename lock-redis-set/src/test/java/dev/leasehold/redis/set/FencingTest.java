package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fences keep increasing over all that a counter does not survive. */
class FencingTest {
  private TestServer server;
  private StoreOps store;
  private int tokens;

  @BeforeEach
  void start() {
    server = ServerKind.EMBEDDED.start();
    store = open(server);
  }

  @AfterEach
  void stop() {
    store.close();
    server.close();
  }

  private static StoreOps open(TestServer server) {
    return StoreOps.open(Map.of("lock.redis.uri", server.uri()));
  }

  private LeaseKey fresh() {
    return new LeaseKey("x", "t:" + tokens++);
  }

  @Test
  @DisplayName("over the lease's expiry")
  void expiry() {
    long last = 0;
    for (int i = 0; i < 3; i++) {
      LeaseKey key = fresh();
      AtomicLong fence = new AtomicLong();
      Await.until("the lease before is over", () -> granted(key, fence));
      assertTrue(fence.get() > last);
      last = fence.get();
    }
  }

  /** The fence is the answer's: the lease may be over before a look at the key. */
  private boolean granted(LeaseKey key, AtomicLong fence) {
    if (store.acquire(key, Duration.ofMillis(50), IfHeld.REFUSE) instanceof Granted granted) {
      fence.set(granted.fence().orElseThrow());
      return true;
    }
    return false;
  }

  @Test
  @DisplayName("over the counter's expiry and FLUSHALL")
  void flush() {
    long first = store.fence(fresh());
    server.admin().del("lh:{x}", "lh:{x}:fence");
    long second = store.fence(fresh());
    assertTrue(second > first);
    server.admin().flushall();
    assertTrue(store.fence(fresh()) > second);
  }

  @Test
  @DisplayName("over a restart without persistence, and the store recovers by itself")
  void restart() {
    long first = store.fence(fresh());
    server.restartEmpty();
    LeaseKey key = fresh();
    Await.until("the store is back", () -> grantedAfterErrors(key));
    assertTrue(store.inspect("x").orElseThrow().fence().orElseThrow() > first);
  }

  private boolean grantedAfterErrors(LeaseKey key) {
    try {
      return store.acquire(key) instanceof Granted;
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  @Test
  @DisplayName("over the promotion of a replica that missed the last writes")
  void promotion() {
    try (TestServer replica = ServerKind.EMBEDDED.start();
        StoreOps there = open(replica)) {
      long before = store.fence(fresh());
      replica.admin().replicaof("127.0.0.1", server.port());
      Await.until("the replica has the counter", () -> replica.admin().exists("lh:{x}:fence") == 1);
      replica.admin().replicaof("127.0.0.1", 1); // cut off: what comes now is lost to it
      server.admin().del("lh:{x}");
      long missed = store.fence(fresh());
      assertTrue(missed > before);
      replica.admin().replicaofNoOne();
      replica.admin().del("lh:{x}"); // the lease that it still knows has run out
      assertTrue(there.fence(fresh()) > missed);
    }
  }
}
