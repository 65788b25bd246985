package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("A lease that lingers, and the watch for its recall")
class LingerTest {
  private final ManualTime time = new ManualTime();
  private final Recallable store = new Recallable(time);
  private final LockManager locks = time.manager(store).linger(Duration.ofSeconds(1)).build();

  /** A store that knows the listeners of each recall. */
  private static final class Recallable extends MapStore implements RecallStore {
    final Map<LeaseKey, Runnable> watches = new ConcurrentHashMap<>();
    final List<RenewRequest> renewals = new CopyOnWriteArrayList<>();

    /** Until this is complete, renewals hang. */
    CompletableFuture<Void> open = CompletableFuture.completedFuture(null);

    Recallable(Ticker ticker) {
      super(ticker);
    }

    @Override
    public Set<Guarantee> guarantees() {
      Set<Guarantee> all = EnumSet.copyOf(super.guarantees());
      all.add(Guarantee.LINGER);
      return all;
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      renewals.addAll(batch);
      return batch.stream().map(this::renewedWhenOpen).toList();
    }

    private CompletionStage<RenewResult> renewedWhenOpen(RenewRequest request) {
      return open.thenCompose(now -> super.renew(List.of(request)).get(0));
    }

    @Override
    public LeaseKey recallable(LeaseKey fresh) {
      return fresh;
    }

    @Override
    public CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
      watches.put(lease, recalled);
      return CompletableFuture.completedFuture(() -> watches.remove(lease));
    }

    @Override
    public CompletionStage<?> recall(LeaseKey lease) {
      return CompletableFuture.completedFuture(null);
    }
  }

  @AfterEach
  void close() {
    locks.close();
    assertEquals(Map.of(), store.watches);
  }

  private DistributedLock lock(String owner, Duration lease) {
    return locks
        .lock("a", LockOptions.defaults().toBuilder().automaticLease(lease).build())
        .as(LockOwner.unique(owner));
  }

  private Lease acquired(String owner) {
    return lock(owner, Duration.ofSeconds(30)).tryAcquire().orElseThrow();
  }

  @Test
  @DisplayName("is taken again without a call, with the next number")
  void takenAgain() {
    Lease first = acquired("first");
    first.release();
    int before = store.calls;
    Lease second = acquired("second");
    assertEquals(before, store.calls);
    assertEquals(first.fencingToken() + 1, second.fencingToken());
    second.release();
  }

  @Test
  @DisplayName("is released when it is recalled, when its time is up, and when it is too short")
  void ends() {
    acquired("first").release();
    assertFalse(store.isEmpty());
    store.watches.values().forEach(Runnable::run);
    assertTrue(store.isEmpty());
    acquired("second").release();
    time.advance(Duration.ofSeconds(1));
    assertTrue(store.isEmpty());
    acquired("third").release();
    int before = store.calls;
    Lease longer = lock("fourth", Duration.ofSeconds(90)).tryAcquire().orElseThrow();
    assertEquals(before + 2, store.calls, "a release and a request");
    assertEquals(1, store.watches.size());
    longer.release();
  }

  @Test
  @DisplayName("is not kept if it was recalled while it was held")
  void recalledWhileHeld() {
    Lease held = acquired("first");
    store.watches.values().forEach(Runnable::run);
    held.release();
    assertTrue(store.isEmpty());
    assertEquals(Map.of(), store.watches);
  }

  @Test
  @DisplayName("ends when an extension learns that the store has lost it")
  void lostBeforeExtension() throws Exception {
    Lease held = acquired("first");
    store.open = new CompletableFuture<>();
    Thread extending = new Thread(() -> held.extend(Duration.ofSeconds(90)));
    extending.start();
    Spin.until(() -> !store.renewals.isEmpty());
    held.release();
    store.forget();
    store.open.complete(null);
    extending.join();
    assertEquals(Map.of(), store.watches);
    int before = store.calls;
    Lease second = acquired("second");
    assertEquals(before + 1, store.calls, "a request");
    second.release();
  }

  @Test
  @DisplayName("is not watched any more when the store has lost it before a hand-over")
  void lostBeforeHandOver() {
    Lease held = acquired("first");
    CompletableFuture<Lease> next =
        lock("next", Duration.ofSeconds(90)).acquireAsync().toCompletableFuture();
    store.forget();
    assertThrows(LeaseLostException.class, held::release);
    assertEquals(1, store.renewals.size(), "for the next waiter");
    Lease granted = next.join();
    assertEquals(1, store.watches.size(), "of the lease that was granted anew");
    granted.release();
  }
}
