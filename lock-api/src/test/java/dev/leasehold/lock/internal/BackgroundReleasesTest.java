package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.calls.BackgroundReleases;
import dev.leasehold.lock.internal.calls.CallerThreads;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How often the engine asks a store that is down to release what has no holder. */
@Timeout(60)
class BackgroundReleasesTest {
  private static final int MANY = 500;
  private static final Duration LONG = Duration.ofSeconds(30);

  private final MapStore map = new MapStore(Ticker.system());
  private final LockManager locks = LockManager.over(map).closeGrace(Duration.ofMillis(50)).build();

  @AfterEach
  void close() {
    locks.close();
  }

  @Test
  void goesOnAfterATimerThatCouldNotBeSet() {
    ManualTime time = new ManualTime();
    Events events = new Events(List.of(), Runnable::run, time, time);
    EngineLog log = new EngineLog(events, time, time, "test");
    MapStore store = new MapStore(time);
    CallerThreads callers = new CallerThreads(time, time, LONG);
    StoreCalls calls =
        new StoreCalls(store, time, time, events, log, new Lifecycle(), callers, LONG);
    BackgroundReleases releases =
        new BackgroundReleases(
            time,
            (delay, task) -> {
              throw new OutOfMemoryError("thrown by the test");
            });
    LeaseKey first = new LeaseKey("a", "test:1");
    LeaseKey second = new LeaseKey("b", "test:2");
    store.acquire(new AcquireRequest(first, LONG, IfHeld.REFUSE));
    store.acquire(new AcquireRequest(second, LONG, IfHeld.REFUSE));
    store.releasesFail(Kind.UNREACHABLE);
    StoreOperations operations =
        new StoreOperations(LockKind.LOCK, store, calls, releases, null, null);
    releases.add(operations, first);
    store.releasesFail(null);
    releases.add(operations, second);
    assertTrue(store.isEmpty(), "both are released");
  }

  /** The releases that come within a time after those of the callers. */
  private int releasesWithin(Duration time, Kind failure, Duration lease, int count)
      throws Exception {
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      held.add(locks.lock("n" + i, LockOptions.fixed(lease)).acquire());
    }
    map.releasesFail(failure);
    for (Lease one : held) {
      assertThrows(LockStoreException.class, one::release);
    }
    int before = map.calls();
    pass(time);
    return map.calls() - before;
  }

  private static void pass(Duration time) {
    new CompletableFuture<Void>().completeOnTimeout(null, time.toMillis(), MILLISECONDS).join();
  }

  private void awaitEmpty() {
    Spin.until(map::isEmpty);
  }

  @Test
  void boundedInAnOutage() throws Exception {
    int calls = releasesWithin(Duration.ofSeconds(1), Kind.UNREACHABLE, LONG, MANY);
    assertTrue(calls < 50, () -> calls + " releases in a second");
    map.releasesFail(null);
    awaitEmpty(); // none is forgotten
  }

  @Test
  void noneAfterARefusalUntilTheLockIsWanted() throws Exception {
    int calls = releasesWithin(Duration.ofSeconds(1), Kind.REFUSED, LONG, 1);
    assertTrue(calls <= 1, () -> calls + " releases after a refusal");
    map.releasesFail(null);
    locks.lock("n0").tryAcquire(Duration.ofSeconds(10)).orElseThrow().release();
    awaitEmpty();
  }

  @Test
  void rememberedInLittleSpace() throws Exception {
    long before = heap();
    releasesWithin(Duration.ZERO, Kind.UNREACHABLE, LONG, 5000);
    long each = (heap() - before) / 5000;
    assertTrue(each < 1000, () -> each + " bytes for each release that is owed");
  }

  /** The least of some: what another thread has just made is no part of it. */
  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least =
          Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return least;
  }

  @Test
  void refusedOnesOfOneNameAreBounded() throws Exception {
    map.releasesFail(Kind.REFUSED);
    for (int i = 0; i < 3000; i++) {
      Lease lease = locks.lock("n", LockOptions.fixed(LONG)).acquire();
      assertThrows(LockStoreException.class, lease::release);
      map.forget();
    }
    map.releasesFail(null);
    int before = map.calls();
    map.acquire(new AcquireRequest(new LeaseKey("n", "other:1"), LONG, IfHeld.REFUSE));
    assertTrue(locks.lock("n").tryAcquire().isEmpty()); // found held: all that is kept is tried
    Spin.until(() -> map.calls() - before >= 500); // they are tried
    pass(Duration.ofMillis(200));
    int calls = map.calls() - before;
    assertTrue(calls <= 1500, () -> calls + " releases were kept for one name");
  }

  @Test
  void noneBeyondTheLeasesEnd() throws Exception {
    Duration lease = Duration.ofMillis(500);
    int within = releasesWithin(lease, Kind.UNREACHABLE, lease, 1);
    assertTrue(within > 0, "it is tried while the lease lasts");
    int before = map.calls();
    pass(Duration.ofSeconds(2));
    assertTrue(map.calls() - before <= 1, "releases after the end of the lease");
    int end = map.calls();
    pass(Duration.ofSeconds(1));
    assertEquals(end, map.calls());
  }

  /** A store that does what it is asked and whose answers can be lost, in time that is moved on. */
  private static final class UnheardStore extends MapStore {
    private final AtomicLong ahead;
    private volatile boolean unheard;

    UnheardStore(AtomicLong ahead) {
      super(() -> System.nanoTime() + ahead.get());
      this.ahead = ahead;
    }

    LockManager open() {
      return LockManager.over(this)
          .ticker(() -> System.nanoTime() + ahead.get())
          .closeGrace(Duration.ofMillis(50))
          .build();
    }

    void loseAnswers() {
      unheard = true;
      releasesFail(Kind.UNREACHABLE);
    }

    void comeBackAfter(Duration away) {
      ahead.addAndGet(away.toNanos());
      unheard = false;
      releasesFail(null);
    }

    private <T> CompletionStage<T> heard(CompletionStage<T> answer) {
      return unheard
          ? CompletableFuture.failedFuture(new LockStoreException(Kind.UNREACHABLE, "cut"))
          : answer;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      return heard(super.acquire(request));
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return super.renew(batch).stream().map(this::heard).toList();
    }
  }

  @Test
  void aGrantThatNobodyGotIsReleasedAlsoAfterItsLeaseWhereAMinimumKeepsItLonger() {
    UnheardStore store = new UnheardStore(new AtomicLong());
    try (LockManager manager = store.open()) {
      LockOptions options =
          LockOptions.builder()
              .automaticLease(Duration.ofSeconds(2))
              .atLeast(Duration.ofMinutes(10))
              .build();
      store.loseAnswers();
      assertThrows(LockStoreException.class, () -> manager.lock("job", options).tryAcquire());
      assertFalse(store.isEmpty(), "it was granted");
      store.comeBackAfter(Duration.ofSeconds(3));
      Spin.until(store::isEmpty);
    }
  }

  @Test
  void aLeaseThatAnUnansweredExtensionMayHaveProlongedIsReleasedForAsLong() throws Exception {
    UnheardStore store = new UnheardStore(new AtomicLong());
    try (LockManager manager = store.open()) {
      Lease lease = manager.lock("job", LockOptions.fixed(Duration.ofSeconds(2))).acquire();
      store.loseAnswers();
      assertThrows(LockStoreException.class, () -> lease.extend(Duration.ofMinutes(10)));
      assertThrows(LockStoreException.class, lease::release);
      store.comeBackAfter(Duration.ofSeconds(3));
      Spin.until(store::isEmpty);
    }
  }
}
