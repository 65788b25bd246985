package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Turns between processes, as the engine sees them")
class TurnsTest {
  private final Wakes store = new Wakes();
  private final LockManager locks =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();

  @AfterEach
  void close() {
    locks.close();
  }

  /** A store in memory that wakes when the test says so, and records its calls. */
  private static final class Wakes implements LeaseStore {
    private final MapStore map = new MapStore(Ticker.system());
    final List<AcquireRequest> asked = new CopyOnWriteArrayList<>();
    final LinkedBlockingQueue<AcquireRequest> arrivals = new LinkedBlockingQueue<>();
    final List<Runnable> watching = new CopyOnWriteArrayList<>();
    final AtomicInteger watches = new AtomicInteger();

    AcquireRequest nextAsk() throws InterruptedException {
      AcquireRequest next = arrivals.poll(10, TimeUnit.SECONDS);
      return Objects.requireNonNull(next, "no request was sent");
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      asked.add(request);
      arrivals.add(request);
      return map.acquire(request);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return map.release(lease).thenApply(result -> ReleaseResult.PASSED_ON);
    }

    @Override
    public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
      watches.incrementAndGet();
      watching.add(wakeUp);
      return CompletableFuture.completedFuture(() -> watching.remove(wakeUp));
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return map.renew(batch);
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return map.inspect(name);
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of(Guarantee.OWNED, Guarantee.WAKE_UP, Guarantee.WAKE_ONE, Guarantee.TURNS);
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private LockOptions onlyWhenWoken() {
    Duration never = Duration.ofMinutes(1);
    return LockOptions.fixed(Duration.ofMinutes(5)).toBuilder()
        .waitStrategy(WaitStrategy.every(never))
        .handOver(HandOver.none())
        .build();
  }

  private AcquireRequest foreign() {
    return new AcquireRequest(new LeaseKey("a", "other:1"), Duration.ofMinutes(5), IfHeld.REFUSE);
  }

  @Test
  @DisplayName("each request says how long it has waited, from the first one on")
  void tellsHowLongItWaited() throws Exception {
    store.map.acquire(foreign());
    CompletableFuture<Lease> waiting =
        locks.lock("a", onlyWhenWoken()).acquireAsync().toCompletableFuture();
    assertEquals(Duration.ZERO, store.nextAsk().waited());
    AcquireRequest second = store.nextAsk(); // it listens now
    assertEquals(IfHeld.ENQUEUE, second.ifHeld());
    store.watching.forEach(Runnable::run);
    AcquireRequest third = store.nextAsk();
    assertEquals(second.key(), third.key());
    assertTrue(second.waited().compareTo(Duration.ZERO) > 0, second::toString);
    assertTrue(third.waited().compareTo(second.waited()) > 0, third::toString);
    store.map.release(foreign().key());
    store.watching.forEach(Runnable::run);
    waiting.get().release();
  }

  @Test
  @DisplayName("threads that take turns listen once, and their first question gets them in line")
  void listensWhileHeld() throws Exception {
    store.map.acquire(foreign());
    CompletableFuture<Lease> first =
        locks.lock("a", onlyWhenWoken()).acquireAsync().toCompletableFuture();
    store.nextAsk();
    store.nextAsk();
    store.map.release(foreign().key());
    store.watching.forEach(Runnable::run);
    Lease lease = first.get(); // there are no waiters here any more
    CompletableFuture<Lease> second =
        locks.lock("a", onlyWhenWoken()).acquireAsync().toCompletableFuture();
    store.arrivals.clear();
    lease.releaseAsync().toCompletableFuture().get();
    assertEquals(IfHeld.ENQUEUE, store.nextAsk().ifHeld());
    second.get().release();
    assertEquals(1, store.watches.get());
    assertTrue(store.watching.isEmpty(), "it is free and unwatched");
  }
}
