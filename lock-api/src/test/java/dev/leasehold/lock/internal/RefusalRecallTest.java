package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.internal.calls.Lingering;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
@DisplayName("A refusal that names a lease which can be recalled")
class RefusalRecallTest {
  private static final LeaseKey KEPT = new LeaseKey("a", "keeper:1");
  private static final Duration LONG = Duration.ofSeconds(30);

  /** How often a caller that does not wait is refused before it gives up. */
  private static final int ASKS = Lingering.MOST_RECALLS + 1;

  private final ManualTime time = new ManualTime();
  private final Refusing store = new Refusing(time);
  private final LockManager locks = time.manager(store).build();

  /** A store whose refusals recall the lease, or leave that to the caller. */
  private static final class Refusing extends MapStore implements RecallStore, MultiLockStore {
    final List<LeaseKey> recalls = new ArrayList<>();
    boolean recallsItself;
    int refusals;

    Refusing(Ticker ticker) {
      super(ticker);
    }

    @Override
    public Set<Guarantee> guarantees() {
      Set<Guarantee> all = EnumSet.copyOf(super.guarantees());
      all.addAll(Set.of(Guarantee.LINGER, Guarantee.TOGETHER));
      return all;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      return super.acquire(request)
          .thenApply(result -> result instanceof Held held ? refused(held) : result);
    }

    private Held refused(Held held) {
      refusals++;
      Held named = Held.recallable(held.retryAfter(), KEPT.token());
      return recallsItself ? named.asRecalled() : named;
    }

    @Override
    public boolean takesTogether(List<String> names) {
      return true;
    }

    @Override
    public CompletionStage<Answer> acquireAll(
        List<AcquireRequest> requests, List<LeaseKey> beside) {
      Map<Integer, Held> held = new HashMap<>();
      Optional<AcquireResult.Granted> granted = Optional.empty();
      for (int i = 0; i < requests.size(); i++) {
        AcquireResult one = acquire(requests.get(i)).toCompletableFuture().join();
        if (one instanceof Held refusal) {
          held.put(i, refusal);
        } else {
          granted = Optional.of((AcquireResult.Granted) one);
        }
      }
      Answer answer =
          held.isEmpty()
              ? new Answer.Granted(OptionalLong.of(1), granted.orElseThrow().ttl())
              : new Answer.Refused(held);
      return CompletableFuture.completedFuture(answer);
    }

    @Override
    public LeaseKey recallable(LeaseKey fresh) {
      return fresh;
    }

    @Override
    public CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
      return CompletableFuture.completedFuture(() -> {});
    }

    @Override
    public CompletionStage<?> recall(LeaseKey lease) {
      recalls.add(lease);
      return CompletableFuture.completedFuture(null);
    }

    void keep() {
      acquire(new AcquireRequest(KEPT, LONG, IfHeld.REFUSE));
    }

    void giveBack() {
      assertEquals(ReleaseResult.RELEASED, release(KEPT).toCompletableFuture().join());
    }
  }

  @AfterEach
  void close() {
    locks.close();
  }

  private List<LeaseKey> recalls(int refusals) {
    List<LeaseKey> all = new ArrayList<>();
    for (int i = 0; i < refusals && !store.recallsItself; i++) {
      all.add(KEPT);
    }
    return all;
  }

  private void asksAgain(CompletableFuture<Optional<Lease>> attempt) {
    assertEquals(1, store.refusals);
    assertEquals(recalls(1), store.recalls);
    assertFalse(attempt.isDone());
    time.advance(Duration.ofSeconds(1));
    assertTrue(attempt.join().isEmpty());
    assertEquals(ASKS, store.refusals);
    assertEquals(recalls(ASKS), store.recalls);
  }

  @ParameterizedTest(name = "if the store has recalled it: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("An attempt asks again as often, and sends a recall only if the refusal did not")
  void attempt(boolean recallsItself) {
    store.recallsItself = recallsItself;
    store.keep();
    asksAgain(locks.lock("a").tryAcquireAsync(Duration.ZERO).toCompletableFuture());
  }

  @ParameterizedTest(name = "if the store has recalled it: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("So does an attempt for several locks")
  void severalLocks(boolean recallsItself) {
    store.recallsItself = recallsItself;
    store.keep();
    asksAgain(locks.all("a", "b").tryAcquireAsync(Duration.ZERO).toCompletableFuture());
  }

  @ParameterizedTest(name = "if the store has recalled it: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("A waiter gets the lock when it is given back, and has sent a recall if it had to")
  void waiter(boolean recallsItself) {
    store.recallsItself = recallsItself;
    store.keep();
    CompletableFuture<Lease> waits = locks.lock("a").acquireAsync().toCompletableFuture();
    assertFalse(waits.isDone());
    assertEquals(recalls(store.refusals), store.recalls);
    store.giveBack();
    time.advance(LONG);
    assertTrue(waits.isDone());
    waits.join().release();
  }
}
