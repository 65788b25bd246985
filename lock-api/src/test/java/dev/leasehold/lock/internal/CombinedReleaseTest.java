package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("Several names, released by one call of the store")
class CombinedReleaseTest {
  private static final String[] FOUR = {"a", "b", "c", "d"};

  private final TogetherStore store = new TogetherStore(Ticker.system());
  private final LockManager manager =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
  private final LockManager other =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
  private final DistributedLock all = manager.all(FOUR);

  @AfterEach
  void close() {
    manager.close();
    other.close();
  }

  private boolean isFree(String name) {
    return store.inspect(name).toCompletableFuture().join().isEmpty();
  }

  @Test
  @DisplayName("are one call, by either form of the release, and once")
  void areOneCall() throws Exception {
    Lease lease = all.acquire();
    int before = store.calls();
    lease.release();
    lease.release();
    lease.parts().forEach(Lease::release);
    assertEquals(before + 1, store.calls());
    assertTrue(store.isEmpty());
    Lease next = all.acquire();
    before = store.calls();
    next.releaseAsync().toCompletableFuture().join();
    assertEquals(before + 1, store.calls());
    assertEquals(List.of(4, 4), store.returned);
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("a store that can't is asked for each, side by side")
  void byDefault() throws Exception {
    store.returnsOneByOne = true;
    Lease lease = all.acquire();
    int before = store.calls();
    lease.release();
    assertEquals(before + 4, store.calls());
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName(
      "one that is held by another handle as well, or was released before, is not among it")
  void onlyWhatIsTheLast() throws Exception {
    Lease outer = manager.lock("a").acquire();
    Lease lease = all.acquire();
    lease.parts().get(1).release();
    int before = store.calls();
    lease.release();
    assertEquals(List.of(2), store.returned);
    assertEquals(before + 1, store.calls());
    assertTrue(outer.isValid());
    assertFalse(isFree("a"));
    outer.release();
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("one that was kept for a minimum, or has numbers left, goes by itself")
  void whatNeedsMoreTold() throws Exception {
    Lease kept =
        manager.lock("a", LockOptions.builder().atLeast(Duration.ofMinutes(1)).build()).acquire();
    Lease withNumbers = manager.lock("b").acquire();
    Lease lease = all.acquire();
    kept.release();
    withNumbers.release();
    lease.release();
    assertEquals(List.of(2), store.returned);
    assertFalse(isFree("a"), "for the rest of its minimum");
    assertTrue(isFree("b"));
  }

  @Test
  @DisplayName("one that is being renewed does not keep the others")
  void whatIsUnderWay() throws Exception {
    Lease lease = all.acquire();
    store.renewalsGate = new CompletableFuture<>();
    int before = store.calls();
    Thread extending = new Thread(() -> lease.parts().get(2).extend(Duration.ofMinutes(5)));
    extending.start();
    Spin.until(() -> store.calls() > before);
    CompletionStage<Void> released = lease.releaseAsync();
    Spin.until(() -> isFree("a") && isFree("b") && isFree("d"));
    assertEquals(List.of(3), store.returned);
    assertFalse(isFree("c"));
    assertFalse(released.toCompletableFuture().isDone());
    store.renewalsGate.complete(null);
    released.toCompletableFuture().join();
    assertTrue(store.isEmpty());
    extending.join();
  }

  @Test
  @DisplayName("one that the store no longer has is a loss, and the others are released")
  void whatIsNotOurs() throws Exception {
    Lease lease = all.acquire();
    store.returnsSay =
        results -> List.of(results.get(0), ReleaseResult.NOT_OWNER, results.get(2), results.get(3));
    LeaseLostException lost = assertThrows(LeaseLostException.class, lease::release);
    assertEquals("b", lost.loss().lockName());
    assertTrue(store.isEmpty());
    lease.release();
    store.returnsSay = UnaryOperator.identity();
    all.acquire().release();
  }

  @Test
  @DisplayName("with all outcomes unknown, each is released once more by itself")
  void unknown() throws Exception {
    Lease lease = all.acquire();
    store.releasesFail(Kind.UNAVAILABLE);
    assertThrows(LockStoreException.class, lease::release);
    assertFalse(store.isEmpty());
    store.releasesFail(null);
    Spin.until(store::isEmpty);
    assertEquals(List.of(4), store.returned);
    all.acquire().release();
  }

  @Test
  @DisplayName("an answer of no sense is none")
  void senseless() throws Exception {
    for (UnaryOperator<List<ReleaseResult>> senseless :
        List.<UnaryOperator<List<ReleaseResult>>>of(
            results -> results.subList(0, 3), results -> nothing())) {
      store.returnsSay = senseless;
      Lease lease = all.acquire();
      CompletionException failed =
          assertThrows(
              CompletionException.class, () -> lease.releaseAsync().toCompletableFuture().join());
      assertEquals(Kind.UNAVAILABLE, ((LockStoreException) failed.getCause()).kind());
      store.returnsSay = UnaryOperator.identity();
      Spin.until(store::isEmpty);
    }
  }

  @Test
  @DisplayName("a null among the results fails that lease alone, and it is released once more")
  void oneWithoutResult() throws Exception {
    store.returnsSay = results -> Arrays.asList(results.get(0), nothing(), results.get(2));
    Lease lease = manager.all("a", "b", "c").acquire();
    int before = store.calls();
    LockStoreException failed = assertThrows(LockStoreException.class, lease::release);
    assertEquals(Kind.UNAVAILABLE, failed.kind());
    String says = failed.getMessage();
    assertTrue(says.contains("releaseAll of " + TogetherStore.class.getName()), says);
    assertTrue(says.contains("null for the lease of 'b'"), says);
    Spin.until(() -> store.calls() == before + 2); // of all three, and of b
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what the store ought not to say
  private static <T> T nothing() {
    return null;
  }

  @Test
  @DisplayName("a close beside it waits for the call, also before it is made")
  void besideAClose() throws Exception {
    Lease lease = all.acquire();
    Lease last = lease.parts().get(3);
    last.release(); // its cell is no longer the manager's: a close passes it by
    Monitor aside = ((LeaseHandle) last).entry().hold.monitor();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Thread holding =
        new Thread(
            () ->
                aside.locked(
                    () -> {
                      held.countDown();
                      await(go);
                    }));
    CompletableFuture<Void> released = new CompletableFuture<>();
    Thread releasing =
        new Thread(
            () -> {
              try {
                lease.release();
                released.complete(null);
              } catch (RuntimeException e) {
                released.completeExceptionally(e);
              }
            });
    Thread closing = new Thread(manager::close);
    holding.start();
    held.await();
    releasing.start();
    Spin.until(() -> releasing.getState() == Thread.State.WAITING); // three are on their way
    closing.start();
    Spin.until(() -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
    go.countDown();
    released.get();
    closing.join();
    holding.join();
    assertTrue(store.isEmpty());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName("waiters of this process come next")
  void whoWaitsHere() throws Exception {
    Lease lease = all.acquire();
    CompletableFuture<Lease> one = manager.lock("b").acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> same = all.acquireAsync().toCompletableFuture();
    assertFalse(one.isDone() || same.isDone());
    lease.release();
    // In any order: a caller of all of them may be before a caller of one.
    CompletableFuture.allOf(
            one.thenCompose(Lease::releaseAsync), same.thenCompose(Lease::releaseAsync))
        .get(30, TimeUnit.SECONDS);
    assertTrue(store.isEmpty());
  }
}
