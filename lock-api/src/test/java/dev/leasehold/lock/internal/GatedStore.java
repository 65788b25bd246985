package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** A blocking store over a {@link MapStore}, whose calls can be held up. */
final class GatedStore extends BlockingLeaseStore {
  enum Op {
    /** Before the store. */
    ASK,
    /** After the store. */
    ACQUIRE,
    RENEW,
    RELEASE
  }

  final MapStore store;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Op> held = new AtomicReference<>();
  private volatile CountDownLatch open = new CountDownLatch(0);
  private volatile CountDownLatch reached = new CountDownLatch(0);

  GatedStore(MapStore store) {
    this.store = store;
  }

  /** Calls of this kind hang from now on. */
  void hold(Op op) {
    open = new CountDownLatch(1);
    reached = new CountDownLatch(1);
    held.set(op);
  }

  /** Waits until a call of this kind hangs; it may be held only later. */
  void awaitReached(Op op) throws InterruptedException {
    while (held.get() != op) {
      Thread.onSpinWait();
    }
    reached.await();
  }

  /** The threads that calls came on. */
  Set<Thread> threads() {
    return threads;
  }

  void open() {
    held.set(null);
    open.countDown();
  }

  private void pass(Op op) {
    threads.add(Thread.currentThread());
    if (held.get() == op) {
      reached.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static <T> T join(CompletionStage<T> done) {
    return CompletableFuture.completedFuture(done).thenCompose(stage -> stage).join();
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    pass(Op.ASK);
    AcquireResult result = join(store.acquire(request));
    pass(Op.ACQUIRE);
    return result;
  }

  @Override
  protected RenewResult renewNow(RenewRequest request) {
    pass(Op.RENEW);
    return join(store.renew(List.of(request)).get(0));
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    pass(Op.RELEASE);
    return join(store.release(lease));
  }

  @Override
  protected Optional<StoredLease> inspectNow(String name) {
    return join(store.inspect(name));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return store.guarantees();
  }

  @Override
  public void close() {
    store.close();
  }
}
