package dev.leasehold.lock.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of a blocking store that are for several leases keep their place among the others. */
class SeveralInTurnTest {
  private static final LeaseKey X = new LeaseKey("x", "t:x");
  private static final LeaseKey Y = new LeaseKey("y", "t:y");
  private static final LeaseKey Z = new LeaseKey("z", "t:z");

  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final Store store = new Store();

  @BeforeEach
  void start() {
    store.start(new Context());
  }

  private CompletionStage<String> several(String what, LeaseKey... leases) {
    return store.several(what, List.of(leases));
  }

  private void runAll() {
    for (Runnable next = threads.poll(); next != null; next = threads.poll()) {
      next.run();
    }
  }

  @Test
  void releasesComeAfterIt() {
    several("x and y", X, Y);
    store.release(X);
    store.release(Y);
    store.release(Z);
    assertEquals(2, threads.size(), "but that of another is not in line");
    runAll();
    assertEquals(List.of("x and y", "release z"), done.subList(0, 2));
    assertEquals(Set.of("release x", "release y"), Set.copyOf(done.subList(2, 4)));
  }

  @Test
  void itComesAfterAllThatWereBefore() {
    store.release(X);
    store.release(Y);
    several("x and y", X, Y);
    assertEquals(2, threads.size());
    threads.remove().run();
    assertEquals(1, threads.size());
    runAll();
    assertEquals(List.of("release x", "release y", "x and y"), done);
  }

  @Test
  void oneThatWasGivenUpIsNotRunAndHoldsNobodyUp() {
    store.release(X);
    CompletableFuture<String> givenUp = several("x and y", X, Y).toCompletableFuture();
    givenUp.cancel(true);
    store.release(Y);
    assertEquals(1, threads.size());
    runAll();
    assertEquals(List.of("release x", "release y"), done);
  }

  @Test
  void aFailureEndsItsTurn() {
    CompletableFuture<String> failed = store.several(null, List.of(X, Y, X)).toCompletableFuture();
    store.release(Y);
    runAll();
    assertTrue(failed.isCompletedExceptionally());
    assertEquals(List.of("release y"), done);
  }

  @Test
  void inOppositeOrdersNoneWaitsForItself() {
    CompletableFuture<String> one = several("one", X, Y, X).toCompletableFuture();
    CompletableFuture<String> other = several("other", Y, X).toCompletableFuture();
    assertFalse(other.isDone());
    runAll();
    assertEquals("one", one.getNow("not run"));
    assertEquals("other", other.getNow("not run"));
  }

  private final class Store extends BlockingLeaseStore {
    CompletionStage<String> several(String what, List<LeaseKey> leases) {
      return inTurn(
          leases,
          () -> {
            if (what == null) {
              throw new IllegalStateException("meant to fail");
            }
            done.add(what);
            return what;
          });
    }

    @Override
    protected ReleaseResult releaseNow(LeaseKey lease) {
      done.add("release " + lease.name());
      return ReleaseResult.RELEASED;
    }

    @Override
    protected AcquireResult acquireNow(AcquireRequest request) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected RenewResult renewNow(RenewRequest request) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected Optional<StoredLease> inspectNow(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of();
    }

    @Override
    public void close() {}
  }

  private final class Context implements StoreContext {
    @Override
    public Executor blockingExecutor() {
      return threads::add;
    }

    @Override
    public Ticker ticker() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Scheduler scheduler() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Executor executor() {
      throw new UnsupportedOperationException();
    }

    @Override
    public RandomGenerator random() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String label() {
      return "test";
    }

    @Override
    public Duration commandTimeout() {
      return Duration.ofSeconds(2);
    }
  }
}
