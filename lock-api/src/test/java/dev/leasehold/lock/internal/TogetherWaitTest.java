package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a call is allowed to last is less here than what the store may take for an answer. */
@Timeout(60)
@DisplayName("Several names in one step of a store that does not answer")
class TogetherWaitTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final int MOST_SECONDS = 10;

  private final TogetherStore store = new TogetherStore(Ticker.system());
  private final LockManager manager =
      LockManager.over(store)
          .commandTimeout(Duration.ofSeconds(20))
          .closeGrace(Duration.ofMillis(50))
          .build();
  private final LockManager other =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
  private final DistributedLock all = manager.all("a", "b", "c");

  @AfterEach
  void close() {
    store.gate.complete(null);
    manager.close();
    other.close();
  }

  @Test
  @DisplayName("a timed wait ends in time, blames the store, and leaves nothing behind")
  void timed() throws Exception {
    store.gate = new CompletableFuture<>();
    assertBlamed(started(() -> all.tryAcquire(SHORT)));
    answered();
    store.gate = new CompletableFuture<>();
    assertBlamed(all.tryAcquireAsync(SHORT).toCompletableFuture());
    answered();
  }

  private static void assertBlamed(Future<?> call) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> call.get(MOST_SECONDS, TimeUnit.SECONDS));
    assertEquals(
        Kind.TIMED_OUT,
        assertInstanceOf(LockStoreException.class, failed.getCause()).kind(),
        failed.toString());
  }

  @Test
  @DisplayName("one that has waited for another ends in time as well, empty")
  void besideAnother() throws Exception {
    besideAnother(() -> started(() -> all.tryAcquire(Duration.ofSeconds(2))));
    besideAnother(() -> all.tryAcquireAsync(Duration.ofSeconds(2)).toCompletableFuture());
  }

  private void besideAnother(Callable<Future<Optional<Lease>>> call) throws Exception {
    Lease theirs = other.lock("a").acquire();
    int before = store.steps();
    Future<Optional<Lease>> asked = call.call();
    awaitSteps(before + 1);
    store.gate = new CompletableFuture<>();
    theirs.release();
    awaitSteps(before + 2);
    assertTrue(asked.get(MOST_SECONDS, TimeUnit.SECONDS).isEmpty());
    answered();
  }

  @Test
  @DisplayName("an interrupt ends it, and leaves nothing behind")
  void interrupted() throws Exception {
    store.gate = new CompletableFuture<>();
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                end.completeExceptionally(new AssertionError(all.acquire().toString()));
              } catch (InterruptedException | RuntimeException e) {
                end.complete(e);
              }
            });
    thread.start();
    awaitSteps(1);
    thread.interrupt();
    assertInstanceOf(InterruptedException.class, end.get(MOST_SECONDS, TimeUnit.SECONDS));
    answered();
  }

  @Test
  @DisplayName("a grant that came too late for one waiter does not refuse the next")
  void lateGrant() throws Exception {
    for (Callable<Future<Optional<Lease>>> next : ways()) {
      for (int i = 0; i < 2; i++) {
        store.gate = new CompletableFuture<>();
        int before = store.steps();
        assertBlamed(
            i == 0
                ? started(() -> all.tryAcquire(SHORT))
                : all.tryAcquireAsync(SHORT).toCompletableFuture());
        awaitSteps(before + 1);
        CompletableFuture<Void> late = store.gate;
        store.gate = CompletableFuture.completedFuture(null);
        Future<Optional<Lease>> asked = next.call();
        late.complete(null);
        asked.get(MOST_SECONDS, TimeUnit.SECONDS).orElseThrow().release();
        Spin.until(store::isEmpty);
      }
    }
  }

  private List<Callable<Future<Optional<Lease>>>> ways() {
    Duration wait = Duration.ofSeconds(MOST_SECONDS);
    return List.of(
        () -> started(all::tryAcquire),
        () -> started(() -> all.tryAcquire(wait)),
        () -> all.tryAcquireAsync(Duration.ZERO).toCompletableFuture(),
        () -> all.tryAcquireAsync(wait).toCompletableFuture());
  }

  private void awaitSteps(int steps) {
    Spin.until(() -> store.steps() >= steps);
  }

  /** The store answers at last: what it gave then goes back. */
  private void answered() {
    store.gate.complete(null);
    Spin.until(store::isEmpty);
  }

  private static <T> FutureTask<T> started(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    new Thread(task).start();
    return task;
  }
}
