package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A listener of a waiter is notified of what happens to it, in order")
@Timeout(30)
class AcquisitionListenerTest {
  private final MapStore store = new MapStore(Ticker.system());
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Heard heard = new Heard();

  /** What each waiter heard, by the order of asking. */
  private static final class Heard implements LockListener {
    final List<List<String>> acquisitions = new CopyOnWriteArrayList<>();
    final List<Thread> askedBy = new CopyOnWriteArrayList<>();

    @Override
    public void on(LockEvent event) {}

    @Override
    public Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
      askedBy.add(Thread.currentThread());
      List<String> mine = new CopyOnWriteArrayList<>();
      acquisitions.add(mine);
      return Optional.of(
          new AcquisitionListener() {
            @Override
            public void decided(AcquisitionResult result) {
              mine.add(result.outcome() + (result.contended() ? " contended" : ""));
              result.failure().ifPresent(why -> mine.add(why.getClass().getSimpleName()));
            }

            @Override
            public void released() {
              mine.add("released");
            }

            @Override
            public void ended(Optional<LeaseLoss> loss) {
              mine.add("ended" + loss.map(how -> " " + how.reason()).orElse(""));
            }
          });
    }

    void await(int waiter, String... expected) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (acquisitions.size() <= waiter || acquisitions.get(waiter).size() < expected.length) {
        assertTrue(System.nanoTime() < end, () -> "heard " + acquisitions);
        Thread.onSpinWait();
      }
      assertEquals(List.of(expected), acquisitions.get(waiter));
    }
  }

  private LockManager manager(UnaryOperator<LockManager.Builder> settings) {
    LockManager manager =
        settings
            .apply(LockManager.over(store).listener(heard).closeGrace(Duration.ofMillis(50)))
            .build();
    open.add(manager);
    return manager;
  }

  private LockManager manager() {
    return manager(UnaryOperator.identity());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable part : open) {
      part.close();
    }
  }

  @Test
  @DisplayName("Granted, released and over; asked by the caller's thread; a re-entry has no hold")
  void plain() throws Exception {
    LockManager locks = manager();
    try (Lease lease = locks.lock("a").acquire()) {
      assertTrue(lease.isValid());
      locks.lock("a").acquire().release();
    }
    heard.await(0, "GRANTED", "released", "ended");
    heard.await(1, "REENTERED");
    Thread me = Thread.currentThread();
    assertEquals(List.of(me, me), heard.askedBy);
  }

  @Test
  @DisplayName("Refused, timed out, interrupted, cancelled")
  void without() throws Exception {
    LockManager locks = manager();
    try (Lease lease = locks.lock("a").acquire()) {
      assertTrue(lease.isValid());
      DistributedLock other = locks.lock("a").as(LockOwner.unique("other"));
      assertTrue(other.tryAcquire().isEmpty());
      assertTrue(other.tryAcquire(Duration.ofMillis(1)).isEmpty());
      CompletableFuture<Lease> cancelled = other.acquireAsync().toCompletableFuture();
      cancelled.cancel(true);
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread waiter =
          new Thread(() -> thrown.complete(assertThrows(Exception.class, other::acquire)));
      waiter.start();
      Spin.until(() -> heard.askedBy.size() >= 5);
      waiter.interrupt();
      assertEquals(InterruptedException.class, thrown.get(10, TimeUnit.SECONDS).getClass());
    }
    heard.await(0, "GRANTED", "released", "ended");
    heard.await(1, "REFUSED contended");
    heard.await(2, "REFUSED contended");
    heard.await(3, "CANCELLED contended");
    heard.await(4, "CANCELLED contended");
  }

  @Test
  @DisplayName("Handed over inside the process")
  void handedOver() throws Exception {
    LockOptions handing =
        LockOptions.builder().handOver(new HandOver(10, Duration.ofMinutes(1))).build();
    DistributedLock lock = manager().lock("a", handing);
    Lease first = lock.acquire();
    CompletableFuture<Lease> second = lock.acquireAsync().toCompletableFuture();
    first.release();
    second.get(10, TimeUnit.SECONDS).release();
    heard.await(0, "GRANTED", "released", "ended");
    heard.await(1, "HANDED_OVER contended", "released", "ended");
  }

  @Test
  @DisplayName("A store that fails, a manager that closes, one that is closed")
  void failed() throws Exception {
    LockManager locks = manager();
    Lease kept = locks.lock("a").acquire();
    CompletableFuture<Lease> waits = locks.lock("a").acquireAsync().toCompletableFuture();
    store.refuse();
    assertThrows(LockStoreException.class, () -> locks.lock("b").tryAcquire());
    heard.await(2, "FAILED", "LockStoreException");
    DistributedLock late = locks.lock("c");
    locks.close();
    assertThrows(ExecutionException.class, () -> waits.get(10, TimeUnit.SECONDS));
    heard.await(0, "GRANTED", "ended CLOSED");
    heard.await(1, "FAILED contended", "LockManagerClosedException");
    assertThrows(LeaseLostException.class, kept::release);
    assertThrows(LockManagerClosedException.class, late::acquire);
    assertEquals(3, heard.acquisitions.size());
  }

  @Test
  @DisplayName("Lost by its deadline, and lost as its release finds out")
  void lost() throws Exception {
    LockManager locks = manager();
    Lease brief = locks.lock("a", LockOptions.fixed(Duration.ofMillis(20))).acquire();
    brief.lost().toCompletableFuture().get(10, TimeUnit.SECONDS);
    assertThrows(LeaseLostException.class, brief::release);
    heard.await(0, "GRANTED", "ended EXPIRED");
    Lease gone = locks.lock("b").acquire();
    store.forget();
    assertThrows(LeaseLostException.class, gone::release);
    heard.await(1, "GRANTED", "released", "ended NOT_OWNER");
  }

  @Test
  @DisplayName("A release that fails is the end of the hold as well")
  void releaseFails() throws Exception {
    Lease lease = manager().lock("a").acquire();
    store.releasesFail(LockStoreException.Kind.UNAVAILABLE);
    assertThrows(LockStoreException.class, lease::release);
    heard.await(0, "GRANTED", "released", "ended");
    store.releasesFail(null);
  }

  @Test
  @DisplayName("In order on an executor that runs the latest first")
  void order() throws Exception {
    ConcurrentLinkedDeque<Runnable> kept = new ConcurrentLinkedDeque<>();
    LockManager locks = manager(builder -> builder.executor(kept::push));
    for (int i = 0; i < 3; i++) {
      locks.lock("a").acquire().release();
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (heard.acquisitions.stream().mapToInt(List::size).sum() < 9) {
      assertTrue(System.nanoTime() < end, () -> "heard " + heard.acquisitions);
      Runnable latest = kept.poll();
      if (latest != null) {
        latest.run();
      }
    }
    for (int i = 0; i < 3; i++) {
      heard.await(i, "GRANTED", "released", "ended");
    }
  }

  @Test
  @DisplayName(
      "One that throws or blocks keeps no waiter from the lock, nor other listeners from"
          + " hearing")
  void trouble() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    open.add(end::countDown);
    LockListener throwing =
        new LockListener() {
          @Override
          public void on(LockEvent event) {}

          @Override
          public Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
            throw new MapStore.Trouble();
          }
        };
    AcquisitionListener blocked =
        new AcquisitionListener() {
          @Override
          public void decided(AcquisitionResult result) {
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    LockListener blocking =
        new LockListener() {
          @Override
          public void on(LockEvent event) {}

          @Override
          public Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
            return Optional.of(blocked);
          }
        };
    LockManager locks = manager(b -> b.listener(throwing).listener(blocking));
    for (int i = 0; i < 3; i++) {
      locks.lock("a").acquire().release();
      heard.await(i, "GRANTED", "released", "ended");
    }
  }
}
