package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.WouldBlockException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A blocking store over a {@link MapStore}, whose calls callers may make. They can hang, as in a
 * socket: no interrupt ends that, only a cut or {@link #open()}.
 */
final class CuttableStore extends BlockingMapStore {
  private static final ThreadLocal<Cut> CURRENT = new ThreadLocal<>();

  /** The threads that acquisitions and releases were made on, in order. */
  final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

  /** Releases that were made. */
  final AtomicInteger releases = new AtomicInteger();

  volatile CountDownLatch reached = new CountDownLatch(0);
  volatile boolean notHere;

  /** The client clears the interrupt of a thread that is cut off, as some do. */
  volatile boolean losesInterrupts;

  volatile Error error;
  private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

  CuttableStore(MapStore store) {
    super(store);
  }

  /** Calls hang from now on, before they come to the store. */
  void hang() {
    reached = new CountDownLatch(1);
    gate = new CompletableFuture<>();
  }

  void open() {
    gate.complete(null);
  }

  static void pass(Duration time) {
    new CompletableFuture<Void>().completeOnTimeout(null, time.toMillis(), MILLISECONDS).join();
  }

  @Override
  protected Optional<Cuttable> cuttable() {
    return Optional.of(new Cut());
  }

  private final class Cut implements Cuttable {
    final CompletableFuture<Void> cut = new CompletableFuture<>();

    @Override
    public <T> T make(Supplier<T> call) {
      if (notHere) {
        throw new WouldBlockException();
      }
      if (error != null) {
        throw error;
      }
      CURRENT.set(this);
      try {
        return call.get();
      } finally {
        CURRENT.remove();
      }
    }

    @Override
    public void cut() {
      cut.complete(null);
    }
  }

  private void pass() {
    threads.add(Thread.currentThread());
    CompletableFuture<Void> closed = gate;
    reached.countDown();
    Cut mine = CURRENT.get();
    if (mine == null) {
      closed.join();
      return;
    }
    while (!mine.cut.isDone() && !closed.isDone()) {
      LockSupport.parkNanos(100_000); // to join would take the interrupt out of sight
    }
    if (mine.cut.isDone()) {
      if (losesInterrupts) {
        Thread.interrupted();
      }
      throw new LockStoreException(LockStoreException.Kind.TIMED_OUT, "cut off");
    }
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    pass();
    return super.acquireNow(request);
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    pass();
    ReleaseResult result = super.releaseNow(lease);
    releases.incrementAndGet();
    return result;
  }
}
