package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that make their own calls to a blocking store, and what ends these. */
@Timeout(60)
class CallerThreadsTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration BRIEF = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofSeconds(20);

  private final CuttableStore store = new CuttableStore(new MapStore(Ticker.system()));
  private final Queue<LockEvent> events = new ConcurrentLinkedQueue<>();
  private LockManager locks = open(LONG);

  private LockManager open(Duration commandTimeout) {
    LockManager opened =
        LockManager.over(store)
            .closeGrace(Duration.ofMillis(50))
            .commandTimeout(commandTimeout)
            .listener(events::add)
            .build();
    opened.lock("first").tryAcquire().orElseThrow().release(); // the engine learns what it may
    return opened;
  }

  @AfterEach
  void close() {
    store.open();
    locks.close();
  }

  private void checkMadeBy(boolean own, Runnable pair) {
    store.threads.clear();
    pair.run();
    assertEquals(2, store.threads.size(), store.threads::toString);
    for (Thread made : store.threads) {
      if (own) {
        assertSame(Thread.currentThread(), made);
      } else {
        assertTrue(made.getName().startsWith("leasehold-store-"), made::toString);
      }
    }
  }

  private static <T> T quietly(Callable<T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void blockingCallsAreTheirs() {
    checkMadeBy(true, () -> quietly(() -> locks.lock("a").acquire()).release());
    checkMadeBy(true, () -> locks.lock("a").tryAcquire().orElseThrow().release());
    checkMadeBy(
        true, () -> quietly(() -> locks.lock("a").tryAcquire(LONG)).orElseThrow().release());
    checkMadeBy(
        true,
        () -> {
          locks.lock("a").asLock().lock();
          locks.lock("a").asLock().unlock();
        });
  }

  @Test
  void othersAreTheManagers() throws Exception {
    checkMadeBy(
        false,
        () ->
            locks
                .lock("a")
                .acquireAsync()
                .toCompletableFuture()
                .join()
                .releaseAsync()
                .toCompletableFuture()
                .join());
    ForkJoinPool pool = new ForkJoinPool(1);
    try {
      pool.submit(
              () -> checkMadeBy(false, () -> quietly(() -> locks.lock("a").acquire()).release()))
          .get();
    } finally {
      pool.shutdown();
    }
    store.threads.clear();
    // Shorter than a call may be.
    quietly(() -> locks.lock("a").tryAcquire(SOON)).orElseThrow();
    assertNotSame(Thread.currentThread(), store.threads.element());
  }

  @Test
  void virtualThreadsMakeNone() throws Exception {
    Runnable check =
        () -> checkMadeBy(false, () -> quietly(() -> locks.lock("a").acquire()).release());
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Runnable reported =
        () -> {
          try {
            check.run();
            ended.complete(null);
          } catch (RuntimeException | Error e) {
            ended.completeExceptionally(e);
          }
        };
    try {
      Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, reported);
    } catch (NoSuchMethodException e) {
      return; // before Java 21 there are none
    }
    ended.get();
  }

  @Test
  void whatWouldWaitIsMadeByTheManager() {
    store.notHere = true;
    checkMadeBy(false, () -> quietly(() -> locks.lock("a").acquire()).release());
  }

  private CompletableFuture<Throwable> hanging(ThrowingCall call) throws InterruptedException {
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    caller =
        new Thread(
            () -> {
              try {
                call.run();
                ended.complete(new AssertionError("it ended well"));
              } catch (Exception | Error e) {
                ended.complete(e);
              }
            });
    caller.start();
    store.reached.await();
    return ended;
  }

  private Thread caller;

  @FunctionalInterface
  private interface ThrowingCall {
    void run() throws Exception;
  }

  @Test
  void anInterruptEndsACall() throws Exception {
    store.hang();
    CompletableFuture<Throwable> ended = hanging(() -> locks.lock("a").acquire());
    caller.interrupt();
    assertInstanceOf(InterruptedException.class, ended.get());
    store.open();
    awaitEmpty(); // whatever it has taken
    assertTrue(events.stream().noneMatch(LockEvent.Failed.class::isInstance), events::toString);
  }

  private void awaitEmpty() {
    Spin.until(store.store::isEmpty);
  }

  @Test
  void anInterruptThatTheClientTakesEndsTheOperation() throws Exception {
    store.losesInterrupts = true;
    for (ThrowingCall each :
        List.<ThrowingCall>of(
            () -> locks.lock("a").acquire(),
            () -> locks.lock("a").tryAcquire(LONG),
            () -> locks.lock("a").tryAcquire(Duration.ZERO))) {
      store.hang();
      CompletableFuture<Throwable> ended = hanging(each);
      caller.interrupt();
      assertInstanceOf(InterruptedException.class, ended.get(10, SECONDS));
      store.open();
      awaitEmpty();
    }
  }

  @Test
  void anInterruptIsKeptWhereItEndsNothing() throws Exception {
    Thread.currentThread().interrupt();
    Lease lease = locks.lock("a").tryAcquire().orElseThrow();
    lease.release();
    assertTrue(Thread.interrupted());
    store.hang();
    CompletableFuture<Throwable> ended = hanging(() -> locks.lock("a").tryAcquire());
    caller.interrupt();
    CuttableStore.pass(Duration.ofMillis(100)); // looked at some times
    assertFalse(ended.isDone());
    store.open();
    assertInstanceOf(AssertionError.class, ended.get());
  }

  @Test
  void theCommandTimeoutEndsACall() throws Exception {
    locks.close();
    locks = open(BRIEF);
    Lease lease = locks.lock("b").acquire();
    store.hang();
    assertInstanceOf(LockStoreException.class, hanging(() -> locks.lock("a").tryAcquire()).get());
    store.open();
    awaitReleased("a");
    store.hang();
    assertInstanceOf(LockStoreException.class, hanging(lease::release).get());
    store.open();
    awaitEmpty();
  }

  private void awaitReleased(String name) {
    Spin.until(() -> store.store.inspect(name).toCompletableFuture().join().isEmpty());
  }

  @Test
  void closingEndsACall() throws Exception {
    store.hang();
    CompletableFuture<Throwable> ended = hanging(() -> locks.lock("a").acquire());
    CompletableFuture<Void> closed = CompletableFuture.runAsync(locks::close);
    assertInstanceOf(LockManagerClosedException.class, ended.get());
    store.open();
    closed.get();
  }

  @Test
  void anErrorEndsACall() {
    store.error = new StackOverflowError("of the test");
    assertThrows(LockStoreException.class, () -> locks.lock("a").tryAcquire());
    store.error = null;
    // Of the first lock, and of what may have been taken
    Spin.until(() -> store.releases.get() >= 2);
    checkMadeBy(true, () -> locks.lock("a").tryAcquire().orElseThrow().release());
  }

  @Test
  void manyThreadsTakeTurns() throws Exception {
    int[] count = new int[1];
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger beside = new AtomicInteger();
    Thread[] threads = new Thread[8];
    CyclicBarrier together = new CyclicBarrier(threads.length);
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                quietly(together::await);
                for (int n = 0; n < 200; n++) {
                  Lease lease = quietly(() -> locks.lock("a").acquire());
                  beside.addAndGet(inside.getAndIncrement());
                  Thread.yield(); // so that another comes in, where it may
                  count[0]++;
                  inside.decrementAndGet();
                  lease.release();
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, beside.get(), "how many came in beside another");
    assertEquals(1600, count[0]);
  }
}
