package dev.leasehold.guice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockTimeoutException;
import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

@DisplayName("@Locked: methods that return stages")
class LockedAsyncTest {
  private static final long MOST_SECONDS = 20;

  private static TwoApps apps;
  private static Orders orders;

  /** Another application: a manager of its own on the same server. */
  private static LockManager others;

  @BeforeAll
  static void start() {
    apps =
        new TwoApps(
            """
            lock { redis.uri = "%1$s", lease = 20s }
            other-lock { redis.uri = "%1$s", label = others }
            """);
    orders = apps.injector.getInstance(Orders.class);
    others = apps.others;
  }

  @AfterAll
  static void stop() {
    apps.close();
  }

  static class Orders {
    @Locked(name = "async:{0}", waitFor = "2s")
    CompletionStage<Long> later(
        String order, CompletionStage<?> until, @CurrentLease @Nullable Lease lease) {
      return until.thenApply(done -> lease.fencingToken());
    }

    @Locked(name = "async:{0}")
    Mono<Long> mono(String order, @CurrentLease @Nullable Lease lease) {
      return Mono.fromSupplier(() -> free("async:" + order) ? -1 : lease.fencingToken());
    }

    @Locked(name = "async:{0}")
    CompletableFuture<String> whenever(String order, Callable<CompletableFuture<String>> work)
        throws Exception {
      return work.call();
    }
  }

  private static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(MOST_SECONDS, TimeUnit.SECONDS);
  }

  private static Throwable failure(CompletionStage<?> stage) {
    return assertThrows(ExecutionException.class, () -> await(stage)).getCause();
  }

  private static boolean free(String name) {
    return others.lock(name).inspect().isEmpty();
  }

  private static boolean tellsHolder(Throwable late) {
    return late.getMessage()
        .matches(".* was not called; it is held by '[^']+', for another \\d+m?s");
  }

  @Test
  @DisplayName("The lock is held until it completes, and the caller is not blocked")
  void stage() throws Exception {
    CompletableFuture<Void> until = new CompletableFuture<>();
    CompletionStage<Long> first = orders.later("1", until, null);
    CompletionStage<Long> second = orders.later("1", until, null);
    Throwable late = failure(second);
    assertTrue(late instanceof LockTimeoutException, "another call is another owner");
    assertTrue(tellsHolder(late), late::getMessage);
    assertFalse(first.toCompletableFuture().isDone());
    assertFalse(free("async:1"));
    until.complete(null);
    assertNotNull(await(first));
    assertTrue(free("async:1"));
  }

  @Test
  @DisplayName("A Mono acquires the lock for each subscriber, until it ends")
  void mono() {
    Mono<Long> locked = orders.mono("5", null);
    Duration most = Duration.ofSeconds(MOST_SECONDS);
    long first = locked.block(most);
    assertTrue(free("async:5"));
    assertTrue(first > 0 && locked.block(most) > first);
    assertTrue(free("async:5"));
  }

  @Test
  @DisplayName("Failures of every kind are the stage's, and the lock is free after them")
  void failingStage() throws Exception {
    Exception no = new Exception("no");
    assertSame(no, failure(orders.whenever("2", () -> CompletableFuture.failedFuture(no))));
    assertSame(
        no,
        failure(
            orders.whenever(
                "2",
                () -> {
                  throw no;
                })));
    assertTrue(failure(orders.whenever("2", () -> null)) instanceof NullPointerException);
    assertTrue(failure(orders.whenever(null, () -> null)) instanceof IllegalArgumentException);
    assertTrue(free("async:2"));
  }

  private static CompletableFuture<String> ran(List<String> ran, String which) {
    ran.add(which);
    return CompletableFuture.completedFuture(which);
  }

  private static long waiters(String name) {
    return (Long) apps.server.call("ZCARD", "lh:{" + name + "}:wait").orElseThrow();
  }

  @Test
  @DisplayName("Cancelling while it waits gives the place up, and the method does not run")
  void cancelledStage() throws Exception {
    List<String> ran = new CopyOnWriteArrayList<>();
    try (Lease theirs = others.lock("async:3").acquire()) {
      CompletableFuture<String> waiting = orders.whenever("3", () -> ran(ran, "cancelled"));
      Await.until("it waits", () -> waiters("async:3") == 1);
      assertTrue(waiting.cancel(true));
      Await.until("its place is given up", () -> waiters("async:3") == 0);
      assertTrue(theirs.isValid());
    }
    await(orders.whenever("3", () -> ran(ran, "next")));
    assertEquals(List.of("next"), ran);
    assertTrue(free("async:3"));
  }
}
