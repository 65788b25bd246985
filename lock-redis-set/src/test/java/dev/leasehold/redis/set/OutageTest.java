package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import io.lettuce.core.KillArgs;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that stop, vanish and come back. */
class OutageTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private TestServer server;
  private StoreOps store;

  @BeforeEach
  void start() {
    server = ServerKind.EMBEDDED.start();
    store = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
  }

  @AfterEach
  void stop() {
    store.close();
    server.close();
  }

  /** So that the last command that the server has seen from the store is no script. */
  private void lookAtSomethingElse() {
    store.store().start(new StoreOps.Context());
  }

  private CompletableFuture<AcquireResult> ask(LeaseKey key) {
    return store
        .store()
        .acquire(new AcquireRequest(key, StoreOps.TTL, IfHeld.REFUSE))
        .toCompletableFuture();
  }

  @Test
  void aBrokenConnectionFailsWhatIsUnderWayAtOnceAndSendsNothingTwice() {
    store.acquire(A);
    lookAtSomethingElse();
    server.call("CLIENT", "PAUSE", "10000", "WRITE");
    CompletableFuture<ReleaseResult> release = store.store().release(A).toCompletableFuture();
    CompletableFuture<AcquireResult> other = ask(new LeaseKey("y", "b:2"));
    Await.until("a call has arrived", () -> server.admin().clientList().contains("cmd=evalsha"));
    server.admin().clientKill(KillArgs.Builder.typeNormal());
    for (CompletableFuture<?> call : new CompletableFuture<?>[] {release, other}) {
      LockStoreException e = assertThrows(LockStoreException.class, () -> Await.value(call));
      assertEquals(Kind.UNREACHABLE, e.kind());
    }
    server.call("CLIENT", "UNPAUSE");
    Await.until("the store answers again", this::answers);
    assertEquals("a:1", server.admin().get("lh:{x}"), "the release was not sent again");
    assertEquals(0, server.admin().exists("lh:{y}"), "nor was the acquire");
  }

  private boolean answers() {
    try {
      store.inspect("x");
      return true;
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  @Test
  void withoutAServerEveryCallFailsAtOnceAndWorksAgainWhenItIsBack() {
    store.acquire(A);
    server.kill();
    Await.until("the server is gone", () -> !answers());
    long begin = System.nanoTime();
    LockStoreException e = assertThrows(LockStoreException.class, () -> Await.value(ask(A)));
    assertEquals(Kind.UNREACHABLE, e.kind());
    // Otherwise it would wait for the server, which does not come back by itself.
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(10).toNanos());
    String where = "Could not acquire lock 'x' on Redis at 127.0.0.1:" + server.port() + ": ";
    assertTrue(e.getMessage().startsWith(where), e::toString);
    assertThrows(LockStoreException.class, () -> store.watch(A, () -> {}));
    server.restartEmpty();
    Await.until("the store answers again", this::answers);
    assertTrue(store.acquire(A) instanceof Granted);
    store.watch(A, () -> {}).close();
  }

  @Test
  void aReleaseThatFailsNamesTheKindOfLock() {
    LeaseStore permits = ((PermitStore) store.store()).permits(1, 2);
    server.pause();
    AcquireRequest request = new AcquireRequest(A, StoreOps.TTL, IfHeld.REFUSE);
    CompletableFuture<?> asked = permits.acquire(request).toCompletableFuture();
    assertThrows(TimeoutException.class, () -> asked.get(100, TimeUnit.MILLISECONDS)); // it is sent
    server.kill();
    assertThrows(LockStoreException.class, () -> Await.value(asked));
    CompletableFuture<ReleaseResult> release = permits.release(A).toCompletableFuture();
    LockStoreException e = assertThrows(LockStoreException.class, () -> Await.value(release));
    assertTrue(e.getMessage().startsWith("Could not release semaphore 'x' on "), e::toString);
  }

  @Test
  void aCommandThatTimedOutIsNotSentLater() {
    server.pause();
    CompletableFuture<AcquireResult> acquire = ask(A);
    assertTrue(acquire.cancel(true));
    server.kill();
    server.restartEmpty();
    Await.until("the store answers again", this::answers);
    assertEquals(0, server.admin().exists("lh:{x}"));
  }

  @Test
  void whatTheServerRunsAfterTheTimeOutIsUndoneByTheReleaseThatFollows() {
    store.acquire(A); // the script is on the server from now on
    store.release(A);
    lookAtSomethingElse();
    server.call("CLIENT", "PAUSE", "10000", "WRITE");
    CompletableFuture<AcquireResult> acquire = ask(A);
    Await.until("a call has arrived", () -> server.admin().clientList().contains("cmd=evalsha"));
    assertTrue(acquire.cancel(true));
    CompletableFuture<ReleaseResult> release = store.store().release(A).toCompletableFuture();
    server.call("CLIENT", "UNPAUSE");
    assertEquals(ReleaseResult.RELEASED, Await.value(release), "same connection, same order");
    assertEquals(0, server.admin().exists("lh:{x}"));
  }

  @Test
  void aServerThatIsBusyIsUnavailable() throws Exception {
    server.admin().configSet("lua-time-limit", "50");
    Thread loop =
        new Thread(
            () ->
                assertThrows(
                    RuntimeException.class, () -> server.call("EVAL", "while true do end", "0")));
    loop.start();
    try {
      Await.until("the server is busy", this::isBusy);
    } finally {
      server.call("SCRIPT", "KILL");
      loop.join();
    }
    assertTrue(store.acquire(A) instanceof Granted);
  }

  private boolean isBusy() {
    try {
      store.inspect("x");
      return false;
    } catch (LockStoreException e) {
      return e.kind() == Kind.UNAVAILABLE && e.getMessage().contains("BUSY");
    }
  }

  @Test
  void aReplicaIsUnavailable() {
    server.admin().replicaof("127.0.0.1", 1);
    LockStoreException e = assertThrows(LockStoreException.class, () -> store.acquire(A));
    assertEquals(Kind.UNAVAILABLE, e.kind());
    assertTrue(
        e.getMessage().contains("READONLY") || e.getMessage().contains("MASTERDOWN"),
        e.getMessage());
    server.admin().replicaofNoOne();
    assertTrue(store.acquire(A) instanceof Granted);
  }

  @Test
  void tooFewReplicasForTheServerIsUnavailable() {
    server.admin().configSet("min-replicas-to-write", "1");
    LockStoreException e = assertThrows(LockStoreException.class, () -> store.acquire(A));
    assertEquals(Kind.UNAVAILABLE, e.kind());
    assertTrue(e.getMessage().contains("NOREPLICAS"), e.getMessage());
    assertTrue(server.admin().keys("*").isEmpty());
  }
}
