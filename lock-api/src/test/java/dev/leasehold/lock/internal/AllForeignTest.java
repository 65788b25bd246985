package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Ticker;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(20)
@DisplayName("Several locks as one, one of them implemented by others")
class AllForeignTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final LockManager manager =
      LockManager.over(new MapStore(Ticker.system())).closeGrace(Duration.ZERO).build();
  private final DistributedLock ours = manager.lock("ours");
  private final List<String> threads = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    manager.close();
  }

  /** What a foreign lock may do when it is asked anew. */
  enum Trouble {
    THROWS,
    THROWS_AN_ERROR,
    GIVES_NO_STAGE,
    GIVES_NO_LEASE
  }

  /** One that is held at first, and then, when it is asked without bound, does this. */
  private DistributedLock foreign(Supplier<Object> asked) {
    return proxy(
        DistributedLock.class,
        (method, arguments) ->
            switch (method) {
              case "as" -> foreign(asked);
              case "name" -> "foreign";
              case "tryAcquire" -> Optional.empty();
              case "tryAcquireAsync" -> CompletableFuture.completedFuture(Optional.empty());
              case "acquireAsync" -> {
                threads.add(Thread.currentThread().getName());
                yield asked.get();
              }
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private interface Answers {
    Object to(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.to(method.getName(), arguments)));
  }

  private void checkFree() throws InterruptedException {
    ours.as(LockOwner.unique("probe")).tryAcquire(SOON).orElseThrow().release();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Its exceptions reach the waiters at any time, and nothing is kept")
  void throwsLater(Trouble trouble) throws Exception {
    IllegalStateException words = new IllegalStateException("of a foreign lock");
    DistributedLock foreign =
        foreign(
            () ->
                switch (trouble) {
                  case THROWS -> throw words;
                  case THROWS_AN_ERROR -> throw new MapStore.Trouble();
                  case GIVES_NO_STAGE -> null;
                  case GIVES_NO_LEASE -> CompletableFuture.completedFuture(null);
                });
    CompletableFuture<Lease> asked =
        DistributedLock.all(ours, foreign).acquireAsync().toCompletableFuture();
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> asked.get(10, TimeUnit.SECONDS));
    switch (trouble) {
      case THROWS -> assertSame(words, failure.getCause());
      case THROWS_AN_ERROR -> assertInstanceOf(MapStore.Trouble.class, failure.getCause());
      default -> assertInstanceOf(NullPointerException.class, failure.getCause());
    }
    checkFree();
  }

  @Test
  @DisplayName("It is not asked on the thread that all of the JVM has for delays")
  void notOnTheThreadForDelays() throws Exception {
    CompletableFuture<Object> never = new CompletableFuture<>();
    CompletableFuture<Lease> asked =
        DistributedLock.all(ours, foreign(() -> never)).acquireAsync().toCompletableFuture();
    Spin.until(() -> !threads.isEmpty());
    asked.cancel(false);
    Spin.until(never::isCancelled); // its stage may come only now
    assertFalse(threads.get(0).toLowerCase(Locale.ROOT).contains("delay"), threads::toString);
    checkFree();
  }

  @Test
  @DisplayName("One whose release throws an error does not keep the others from an answer")
  void releaseThrows() throws Exception {
    Lease stuck =
        proxy(
            Lease.class,
            (method, arguments) -> {
              throw new MapStore.Trouble();
            });
    DistributedLock taken =
        proxy(
            DistributedLock.class,
            (method, arguments) ->
                switch (method) {
                  case "as" -> lock(stuck);
                  case "name" -> "taken";
                  case "tryAcquire" -> Optional.of(stuck);
                  default -> throw new UnsupportedOperationException(method);
                });
    DistributedLock held = foreign(CompletableFuture::new);
    DistributedLock all = DistributedLock.all(ours, taken, held);
    assertEquals(Optional.empty(), all.tryAcquire());
    checkFree();
    assertEquals(
        Optional.empty(),
        all.tryAcquireAsync(Duration.ZERO).toCompletableFuture().get(10, TimeUnit.SECONDS));
    checkFree();
  }

  private static DistributedLock lock(Lease lease) {
    return proxy(
        DistributedLock.class,
        (method, arguments) ->
            method.equals("tryAcquireAsync")
                ? CompletableFuture.completedFuture(Optional.of(lease))
                : null);
  }

  @Test
  @DisplayName("One whose lease can't be listened to is no hold, and nothing is kept")
  void lostThrows() throws Exception {
    Lease deaf =
        proxy(
            Lease.class,
            (method, arguments) -> {
              if (method.equals("lost")) {
                throw new MapStore.Trouble();
              }
              return null;
            });
    DistributedLock foreign =
        proxy(
            DistributedLock.class,
            (method, arguments) ->
                switch (method) {
                  case "as" -> lock(deaf);
                  case "name" -> "foreign";
                  case "tryAcquire" -> Optional.of(deaf);
                  default -> throw new UnsupportedOperationException(method);
                });
    DistributedLock all = DistributedLock.all(ours, foreign);
    assertThrows(MapStore.Trouble.class, all::tryAcquire);
    checkFree();
    ExecutionException failure =
        assertThrows(
            ExecutionException.class,
            () -> all.tryAcquireAsync(SOON).toCompletableFuture().get(10, TimeUnit.SECONDS));
    assertInstanceOf(MapStore.Trouble.class, failure.getCause());
    checkFree();
  }

  @Test
  @DisplayName("It is asked as any other when one has been waited for")
  void asked() throws Exception {
    Lease theirs =
        proxy(
            Lease.class,
            (method, arguments) -> method.equals("lost") ? new CompletableFuture<>() : null);
    DistributedLock foreign = answering(() -> Optional.of(theirs));
    Lease lease = DistributedLock.all(ours, foreign).tryAcquire(SOON).orElseThrow();
    assertSame(theirs, lease.parts().get(1));
    lease.release();
    checkFree();
  }

  private static DistributedLock answering(Supplier<Optional<Lease>> answer) {
    return proxy(
        DistributedLock.class,
        (method, arguments) -> method.equals("name") ? "foreign" : answer.get());
  }

  @Test
  @DisplayName("where others had the first before, a failure as the time ends is contention")
  void failsAtTheEnd() throws Exception {
    Duration wait = Duration.ofMillis(1);
    DistributedLock failing =
        answering(
            () -> {
              long begun = System.nanoTime();
              while (System.nanoTime() - begun < wait.toNanos()) {
                Thread.onSpinWait();
              }
              throw new LockStoreException(LockStoreException.Kind.UNAVAILABLE, "of the test's");
            });
    Lease free = ours.as(LockOwner.unique("first")).tryAcquire().orElseThrow();
    DistributedLock afterNobody = DistributedLock.all(answering(() -> Optional.of(free)), failing);
    assertThrows(LockStoreException.class, () -> afterNobody.tryAcquire(wait));

    Lease before = ours.as(LockOwner.unique("first")).tryAcquire().orElseThrow();
    CompletableFuture<Lease> next = ours.acquireAsync().toCompletableFuture();
    before.release();
    Lease waited = next.get(10, TimeUnit.SECONDS);
    DistributedLock afterOthers =
        DistributedLock.all(answering(() -> Optional.of(waited)), failing);
    assertEquals(Optional.empty(), afterOthers.tryAcquire(wait));
    checkFree();
  }

  @Test
  @DisplayName("the first one is waited for, and the next one is not")
  void waited() throws Exception {
    List<Object> waits = new ArrayList<>();
    Lease theirs =
        proxy(
            Lease.class,
            (method, arguments) -> method.equals("lost") ? new CompletableFuture<>() : null);
    DistributedLock foreign =
        proxy(
            DistributedLock.class,
            (method, arguments) -> {
              if (method.equals("name")) {
                return "foreign";
              }
              waits.add(arguments == null ? "none" : arguments[0]);
              return Optional.of(theirs);
            });
    DistributedLock all = DistributedLock.all(foreign, foreign);
    all.tryAcquire().orElseThrow();
    all.tryAcquire(Duration.ZERO).orElseThrow();
    assertEquals(List.of("none", "none", "none", "none"), waits);
    waits.clear();
    all.tryAcquire(SOON).orElseThrow();
    assertEquals("none", waits.get(1));
    assertTrue(SOON.minus((Duration) waits.get(0)).compareTo(SOON) < 0, "it may wait");
  }
}
