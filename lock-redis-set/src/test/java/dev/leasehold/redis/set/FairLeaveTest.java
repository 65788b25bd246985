package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import io.lettuce.core.KillArgs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "lock.redis.fair: a request names waiters that have left and that the server may still have")
class FairLeaveTest {
  private TestServer server;
  private StoreOps ops;
  private LeaseStore store;

  @BeforeEach
  void start() {
    server = ServerKind.EMBEDDED.start();
    ops = StoreOps.open(Map.of("lock.redis.uri", server.uri(), "lock.redis.fair", "true"));
    store = ops.store();
  }

  @AfterEach
  void stop() {
    ops.close();
    server.close();
  }

  private static LeaseKey key(String secret) {
    return new LeaseKey("x", "t:" + secret);
  }

  private AcquireResult ask(String secret) {
    return Await.value(
        store.acquire(new AcquireRequest(key(secret), StoreOps.TTL, IfHeld.ENQUEUE).repeated()));
  }

  private Optional<AcquireResult> tried(String secret) {
    try {
      return Optional.of(ask(secret));
    } catch (LockStoreException notYet) {
      return Optional.empty();
    }
  }

  private AcquireResult answered(String secret) {
    Await.until("the store answers", () -> tried(secret).isPresent());
    return ask(secret);
  }

  /** Leaves when the server can't be reached. */
  private void leavesUntold(String secret) {
    Await.until(
        "the message is lost",
        () -> {
          answered(secret);
          server.admin().clientKill(KillArgs.Builder.typeNormal());
          try {
            Await.value(store.leave(key(secret)));
            return false;
          } catch (LockStoreException lost) {
            return true;
          }
        });
  }

  private List<String> line() {
    return server.admin().zrange("lh:{x}:wait", 0, -1);
  }

  @Test
  @DisplayName("while another holds the lock")
  void held() {
    assertInstanceOf(Granted.class, ask("holder"));
    leavesUntold("a");
    leavesUntold("b");
    assertInstanceOf(Held.class, answered("c"));
    assertEquals(1, line().size());
    assertTrue(line().get(0).endsWith(":t:c"), () -> "" + line());
  }

  @Test
  @DisplayName("and when the lock is kept for one of them")
  void keptForOne() {
    assertInstanceOf(Granted.class, ask("holder"));
    leavesUntold("a");
    server.admin().set("lh:{x}", "+t:a");
    assertInstanceOf(Granted.class, answered("c"));
    assertEquals("t:c", server.admin().get("lh:{x}"));
    assertEquals(List.of(), line());
  }
}
