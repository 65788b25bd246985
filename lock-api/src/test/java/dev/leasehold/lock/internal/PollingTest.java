package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Waiters that are not woken, beside others unknown to this process")
class PollingTest {
  private static final Duration THEIR_LEASE = Duration.ofSeconds(20);
  private static final int TURNS = 20;

  private final ManualTime time = new ManualTime();
  private final Others store = new Others();
  private LockManager locks = open();

  private LockManager open() {
    return time.manager(store).random(new Random(14)).build();
  }

  @AfterEach
  void close() {
    locks.close();
  }

  /** A lock that others hold again and again, with a gap in between. */
  private final class Others implements LeaseStore {
    final Set<Guarantee> promised = EnumSet.of(Guarantee.OWNED);
    Duration hold = Duration.ofMillis(10);
    Duration gap = Duration.ofMillis(1);
    int asked;

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      asked++;
      long since = time.nanos() % hold.plus(gap).toNanos();
      return CompletableFuture.completedFuture(
          since >= hold.toNanos()
              ? new Granted(OptionalLong.empty(), request.ttl())
              : new Held(THEIR_LEASE.minusNanos(since)));
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return batch.stream()
          .<CompletionStage<RenewResult>>map(
              request -> CompletableFuture.completedFuture(RenewResult.RENEWED))
          .toList();
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return CompletableFuture.completedFuture(ReleaseResult.RELEASED);
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
      return CompletableFuture.completedFuture(() -> {});
    }

    @Override
    public Set<Guarantee> guarantees() {
      return promised;
    }

    @Override
    public void close() {}
  }

  /** How long it waits for so many turns, one after another. */
  private Duration turns(int turns) {
    long begun = time.nanos();
    for (int i = 0; i < turns; i++) {
      CompletableFuture<Lease> turn = locks.lock("a").acquireAsync().toCompletableFuture();
      while (!turn.isDone()) {
        time.advance(Duration.ofMillis(1));
      }
      turn.join().releaseAsync().toCompletableFuture().join();
      time.advance(Duration.ofMillis(3));
    }
    return Duration.ofNanos(time.nanos() - begun);
  }

  private int asksWithin(Duration wait, LockOptions options) {
    store.gap = Duration.ZERO;
    int before = store.asked;
    CompletableFuture<Lease> waiting =
        locks.lock("a", options).acquireAsync().toCompletableFuture();
    time.advance(wait);
    waiting.cancel(false);
    return store.asked - before;
  }

  @Test
  @DisplayName("take turns with waiters that never pause")
  void beside() {
    Duration took = turns(TURNS);
    assertTrue(took.compareTo(Duration.ofSeconds(10)) < 0, () -> TURNS + " turns took " + took);
  }

  @Test
  @DisplayName("... and ask no more than fifty times a second for it")
  void bounded() {
    int asked = asksWithin(Duration.ofSeconds(10), LockOptions.defaults());
    assertTrue(asked > 400 && asked <= 501, () -> asked + " questions");
  }

  @Test
  @DisplayName("ask once a second where one holder keeps the lock")
  void patient() {
    store.hold = Duration.ofDays(1);
    int asked = asksWithin(Duration.ofSeconds(10), LockOptions.defaults());
    assertTrue(asked > 8 && asked <= 17, () -> asked + " questions");
  }

  @Test
  @DisplayName("... and woken waiters pause by their own setting, regardless of the holder's kind")
  void woken() {
    store.promised.add(Guarantee.WAKE_UP);
    locks.close();
    locks = open();
    Duration brief = Duration.ofMillis(5);
    LockOptions options =
        LockOptions.builder()
            .waitStrategy(new WaitStrategy(Duration.ofSeconds(2), brief, brief))
            .build();
    // When it begins to listen, it asks once more.
    assertEquals(2 + 4, asksWithin(Duration.ofSeconds(10), options));
  }
}
