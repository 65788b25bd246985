package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** A blocking store over a {@link MapStore}, whose calls can be held up. */
final class GatedStore extends BlockingMapStore {
  enum Op {
    /** Before the store. */
    ASK,
    /** After the store. */
    ACQUIRE,
    RENEW,
    RELEASE
  }

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Op> held = new AtomicReference<>();
  private volatile CountDownLatch open = new CountDownLatch(0);
  private volatile CountDownLatch reached = new CountDownLatch(0);

  GatedStore(MapStore store) {
    super(store);
  }

  /** Calls of this kind hang from now on. */
  void hold(Op op) {
    open = new CountDownLatch(1);
    reached = new CountDownLatch(1);
    held.set(op);
  }

  /** Waits until a call of this kind hangs; it may be held only later. */
  void awaitReached(Op op) throws InterruptedException {
    Spin.until(() -> held.get() == op);
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

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    pass(Op.ASK);
    AcquireResult result = super.acquireNow(request);
    pass(Op.ACQUIRE);
    return result;
  }

  @Override
  protected RenewResult renewNow(RenewRequest request) {
    pass(Op.RENEW);
    return super.renewNow(request);
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    pass(Op.RELEASE);
    return super.releaseNow(lease);
  }
}
