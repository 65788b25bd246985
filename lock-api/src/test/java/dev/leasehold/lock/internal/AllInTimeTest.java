package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("Several names as one, whatever happens beside")
class AllInTimeTest {
  /** Its releases can be made to hang, and its steps. */
  private static final class Hanging extends MapStore implements MultiLockStore {
    private final TogetherStore steps = new TogetherStore(Ticker.system());
    volatile CompletableFuture<Void> releasesGate = CompletableFuture.completedFuture(null);
    volatile CompletableFuture<Void> stepsGate = CompletableFuture.completedFuture(null);
    volatile int asked;
    private volatile boolean hangsAfterOne;
    private volatile boolean hanging;

    Hanging() {
      super(Ticker.system());
    }

    /** Lets one be released; whatever is given back after it hangs. */
    void hangAfterOne() {
      hangsAfterOne = true;
    }

    /** Whether something is to be given back, and hangs. */
    boolean isHanging() {
      return hanging;
    }

    private synchronized CompletableFuture<Void> gate() {
      if (hangsAfterOne) {
        hangsAfterOne = false;
        releasesGate = new CompletableFuture<>();
        return CompletableFuture.completedFuture(null);
      }
      hanging = !releasesGate.isDone();
      return releasesGate;
    }

    @Override
    public boolean takesTogether(List<String> names) {
      return true;
    }

    @Override
    public CompletionStage<Answer> acquireAll(
        List<AcquireRequest> requests, List<LeaseKey> beside) {
      asked++;
      CompletionStage<Answer> answer = steps.acquireAll(requests, beside);
      return stepsGate.thenCompose(open -> answer);
    }

    @Override
    public CompletionStage<dev.leasehold.lock.spi.AcquireResult> acquire(AcquireRequest request) {
      return steps.acquire(request);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return gate().thenCompose(open -> steps.release(lease));
    }

    @Override
    public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
      return gate().thenCompose(open -> steps.keep(lease, rest));
    }

    @Override
    public List<CompletionStage<dev.leasehold.lock.spi.RenewResult>> renew(
        List<dev.leasehold.lock.spi.RenewRequest> batch) {
      return steps.renew(batch);
    }

    @Override
    public CompletionStage<Optional<dev.leasehold.lock.spi.StoredLease>> inspect(String name) {
      return steps.inspect(name);
    }

    @Override
    public Set<Guarantee> guarantees() {
      return steps.guarantees();
    }

    @Override
    synchronized void forget() {
      steps.forget();
    }

    @Override
    synchronized boolean isEmpty() {
      return steps.isEmpty();
    }

    @Override
    synchronized Duration left(String name) {
      return steps.left(name);
    }
  }

  private final Hanging store = new Hanging();
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
    store.releasesGate.complete(null);
    store.stepsGate.complete(null);
    manager.close();
    other.close();
  }

  private static <T> Future<T> started(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    new Thread(task).start();
    return task;
  }

  @Test
  @DisplayName("one lock: a loss that its release finds is signalled")
  void lossAtReleaseOfOne() throws Exception {
    Lease lease = manager.lock("a").acquire();
    CompletableFuture<LeaseLoss> lost = lease.lost().toCompletableFuture();
    store.forget();
    assertThrows(LeaseLostException.class, lease::release);
    assertEquals("a", lost.get(5, SECONDS).lockName());
  }

  @Test
  @DisplayName("several: a loss that their release finds is signalled")
  void lossAtRelease() throws Exception {
    Lease lease = all.acquire();
    CompletableFuture<LeaseLoss> lost = lease.lost().toCompletableFuture();
    store.forget();
    assertThrows(LeaseLostException.class, lease::release);
    lost.get(5, SECONDS);
  }

  @Test
  @DisplayName("several: a loss before the release is signalled though callbacks are slow")
  void lossBeforeRelease() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    LockManager slow =
        LockManager.over(store)
            .closeGrace(Duration.ofMillis(50))
            .executor(
                task ->
                    new Thread(
                            () -> {
                              try {
                                busy.await();
                              } catch (InterruptedException e) {
                                return;
                              }
                              task.run();
                            })
                        .start())
            .build();
    try {
      LockOptions brief = LockOptions.fixed(Duration.ofMillis(200));
      Lease one = slow.lock("x", brief).acquire();
      Lease lease = slow.all(List.of("a", "b"), brief).acquire();
      CompletableFuture<LeaseLoss> lostOne = one.lost().toCompletableFuture();
      CompletableFuture<LeaseLoss> lost = lease.lost().toCompletableFuture();
      Spin.until(() -> !one.isValid() && !lease.isValid());
      assertThrows(LeaseLostException.class, one::release);
      assertThrows(LeaseLostException.class, lease::release);
      busy.countDown();
      lostOne.get(5, SECONDS);
      lost.get(5, SECONDS);
    } finally {
      busy.countDown();
      slow.close();
    }
  }

  @Test
  @DisplayName("after a loss the rest is renewed no more, whatever a callback does")
  void restIsRenewedNoMore() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    LockOptions automatic = LockOptions.builder().automaticLease(Duration.ofSeconds(1)).build();
    Lease lease = manager.all(List.of("a", "b"), automatic).acquire();
    CountDownLatch told = new CountDownLatch(1);
    lease
        .lost()
        .thenRun(
            () -> {
              told.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    store.steps.forgetOne("a");
    told.await();
    assertFalse(store.steps.isRenewed("b"));
    end.countDown();
  }

  @Test
  @DisplayName("a timed attempt ends in time though a part's giving back hangs")
  void givingBackHangs() throws Exception {
    timed(() -> started(() -> all.tryAcquire(Duration.ofSeconds(2))));
  }

  @Test
  @DisplayName("a timed asynchronous attempt ends in time though a part's giving back hangs")
  void givingBackHangsAsync() throws Exception {
    timed(() -> all.tryAcquireAsync(Duration.ofSeconds(2)).toCompletableFuture());
  }

  private void timed(Callable<Future<Optional<Lease>>> call) throws Exception {
    Lease first = other.lock("a").acquire();
    int before = store.asked;
    Future<Optional<Lease>> asked = call.call();
    Spin.until(() -> store.asked > before); // refused, since a is held: it waits for that
    Lease second = other.lock("b").acquire();
    store.hangAfterOne();
    first.release();
    assertTrue(asked.get(8, SECONDS).isEmpty());
    assertTrue(store.isHanging(), "nothing was to be given back");
    second.releaseAsync();
  }

  @Test
  @DisplayName(
      "the locks of an asynchronous attempt are free when its time is up, or it is" + " cancelled")
  void askedInVain() throws Exception {
    askedInVain(() -> all.tryAcquireAsync(Duration.ofSeconds(2)).toCompletableFuture(), false);
    askedInVain(() -> all.acquireAsync().toCompletableFuture(), true);
  }

  private void askedInVain(Callable<CompletableFuture<?>> call, boolean cancels) throws Exception {
    Lease first = other.lock("a").acquire();
    int before = store.asked;
    CompletableFuture<?> asked = call.call();
    Spin.until(() -> store.asked > before);
    CompletableFuture<Void> gate = new CompletableFuture<>();
    store.stepsGate = gate;
    first.release();
    Spin.until(() -> store.asked > before + 1); // it has a, and asks for the rest beside it
    if (cancels) {
      asked.cancel(false);
    } else {
      asked.get(8, SECONDS);
    }
    Optional<Lease> next = other.lock("a").tryAcquire(Duration.ofSeconds(4));
    store.stepsGate = CompletableFuture.completedFuture(null);
    gate.complete(null);
    assertTrue(next.isPresent());
    next.get().release();
    Spin.until(store::isEmpty);
  }

  @Test
  @DisplayName("an interrupt ends a wait though a part's giving back hangs")
  void givingBackHangsInterrupted() throws Exception {
    Lease first = other.lock("a").acquire();
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                all.acquire();
                ended.complete(new AssertionError("taken"));
              } catch (InterruptedException | RuntimeException e) {
                ended.complete(e);
              }
            });
    thread.start();
    Spin.until(() -> store.asked > 0);
    Lease second = other.lock("b").acquire();
    store.hangAfterOne();
    first.release();
    Spin.until(store::isHanging);
    thread.interrupt();
    assertInstanceOf(InterruptedException.class, ended.get(8, SECONDS));
    second.releaseAsync();
  }

  @Test
  @DisplayName("a part that was re-entered and not used leaves another's minimum hold")
  void minimumOfAnotherHandle() throws Exception {
    LockOwner me = LockOwner.unique("me");
    LockOptions minimum = LockOptions.builder().atLeast(Duration.ofMinutes(1)).build();
    Lease kept = manager.lock("a", minimum).as(me).acquire();
    Lease theirs = other.lock("b").acquire();
    store.stepsGate = new CompletableFuture<>();
    CompletableFuture<Optional<Lease>> asked =
        manager.all("a", "b").as(me).tryAcquireAsync(Duration.ZERO).toCompletableFuture();
    Spin.until(() -> store.asked > 0);
    kept.release();
    store.stepsGate.complete(null);
    assertTrue(asked.get(8, SECONDS).isEmpty());
    assertTrue(other.lock("a").tryAcquire().isEmpty(), "for the rest of its minimum");
    theirs.release();
  }
}
