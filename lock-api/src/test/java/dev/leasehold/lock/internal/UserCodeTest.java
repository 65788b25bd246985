package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** User code on whatever executor: it can delay and harm only itself. */
@Timeout(60)
class UserCodeTest {
  /** Long enough for a machine that does much else; it is renewed at a third of it. */
  private static final Duration LEASE = Duration.ofSeconds(3);

  private static final Duration BRIEF = Duration.ofMillis(200);

  /** What waits for a callback that is stuck waits until the end of the test. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  private static final int MANY = 150;
  private static final int CHAIN = 3000;

  private final MapStore store = new MapStore(Ticker.system());
  private final List<AutoCloseable> open = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    end.countDown();
    for (AutoCloseable part : open) {
      part.close();
    }
  }

  private LockManager manager(UnaryOperator<LockManager.Builder> settings) {
    LockManager manager =
        settings.apply(LockManager.over(store).closeGrace(Duration.ofMillis(50))).build();
    open.add(manager);
    return manager;
  }

  private static LockOptions automatic() {
    return LockOptions.builder().automaticLease(LEASE).build();
  }

  private void block() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void compute() {
    while (end.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  /** While callbacks are stuck, leases are renewed, losses signalled and time-outs kept. */
  private void checkUnharmed(LockManager locks, Lease kept) throws Exception {
    long begun = System.nanoTime();
    Lease brief = locks.lock("brief", LockOptions.fixed(BRIEF)).acquire();
    long[] toldAt = new long[1];
    brief
        .lost()
        .thenRun(() -> toldAt[0] = System.nanoTime())
        .toCompletableFuture()
        .get(20, SECONDS);
    Duration late = Duration.ofNanos(toldAt[0] - begun).minus(BRIEF);
    assertTrue(late.compareTo(SLACK) < 0, () -> "the signal came " + late + " late");

    begun = System.nanoTime();
    assertTrue(locks.lock("kept").as(LockOwner.named("x")).tryAcquire(BRIEF).isEmpty());
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(took.compareTo(BRIEF.plus(SLACK)) < 0, () -> "an attempt took " + took);

    begun = System.nanoTime();
    Optional<Lease> none =
        locks.lock("kept").tryAcquireAsync(BRIEF).toCompletableFuture().get(20, SECONDS);
    assertTrue(none.isEmpty());
    Duration tookAsync = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(tookAsync.compareTo(BRIEF.plus(SLACK)) < 0, () -> "an attempt took " + tookAsync);

    // Renewed twice: once may have been before there was anything to be stuck in.
    for (int i = 0; i < 2; i++) {
      assertTrue(store.isRenewed("kept"), "a lease is renewed beside callbacks that are stuck");
    }
    assertTrue(kept.isValid());
    assertFalse(kept.lost().toCompletableFuture().isDone());
    kept.release();
  }

  /** Acquisitions that wait until what depends on them is there, and then are granted. */
  private static void continued(LockManager locks, int count, Runnable continuation)
      throws InterruptedException {
    for (int i = 0; i < count; i++) {
      Lease first = locks.lock("other" + i).acquire();
      locks.lock("other" + i).acquireAsync().thenRun(continuation);
      first.release();
    }
  }

  @Test
  void blockingContinuations() throws Exception {
    LockManager locks = manager(b -> b);
    Lease kept = locks.lock("kept", automatic()).acquire();
    continued(locks, MANY, this::block);
    checkUnharmed(locks, kept);
  }

  @Test
  void blockingListeners() throws Exception {
    LockManager locks =
        manager(
            b ->
                b.listener(
                    event -> {
                      if (event.lockName().startsWith("other")) {
                        block();
                      }
                    }));
    Lease kept = locks.lock("kept", automatic()).acquire();
    for (int i = 0; i < MANY; i++) {
      locks.lock("other" + i).acquire();
    }
    checkUnharmed(locks, kept);
  }

  @Test
  void computingContinuations() throws Exception {
    LockManager locks = manager(b -> b);
    Lease kept = locks.lock("kept", automatic()).acquire();
    continued(locks, Runtime.getRuntime().availableProcessors(), this::compute);
    checkUnharmed(locks, kept);
  }

  // ---- executors of the user's ----

  private enum Kind {
    IN_THE_CALLER,
    REFUSES,
    THROWS,
    RUNS_AND_THROWS,
    SHUT_DOWN;

    Executor make() {
      return switch (this) {
        case IN_THE_CALLER -> Runnable::run;
        case REFUSES ->
            task -> {
              throw new RejectedExecutionException("full");
            };
        case THROWS ->
            task -> {
              throw new Trouble();
            };
        case RUNS_AND_THROWS ->
            task -> {
              task.run();
              throw new Trouble();
            };
        case SHUT_DOWN -> {
          ExecutorService pool = Executors.newSingleThreadExecutor();
          pool.shutdown();
          yield pool;
        }
      };
    }
  }

  /** An error of the user's, without a trace, for quieter logs. */
  private static final class Trouble extends Error {
    private static final long serialVersionUID = 1L;

    Trouble() {
      super("of the user's", null, false, false);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aLossCallbackThatBlocks(Kind kind) throws Exception {
    LockManager locks = manager(b -> b.executor(kind.make()));
    Lease kept = locks.lock("kept", automatic()).acquire();
    CountDownLatch stuck = new CountDownLatch(1);
    locks
        .lock("lost", LockOptions.fixed(BRIEF))
        .acquire()
        .lost()
        .thenRun(
            () -> {
              stuck.countDown();
              block();
            });
    stuck.await();
    // Nothing runs under the mutex of the name whose callback is stuck.
    long begun = System.nanoTime();
    CompletableFuture<Lease> other =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                // It waits for the drift allowance, by which the store's end is later than ours.
                return locks.lock("lost").acquire();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            task -> new Thread(task).start());
    other.get(20, SECONDS).release();
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(took.compareTo(SLACK) < 0, () -> "an attempt took " + took);
    checkUnharmed(locks, kept);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void allHandlesAreToldOnce(Kind kind) throws Exception {
    Set<Thread> timers = ConcurrentHashMap.newKeySet();
    LockManager locks = manager(b -> b.executor(kind.make()).scheduler(noting(timers)));
    List<Lease> handles = new ArrayList<>();
    List<CompletableFuture<Integer>> told = new ArrayList<>();
    AtomicInteger calls = new AtomicInteger();
    AtomicBoolean onTimer = new AtomicBoolean();
    for (int i = 0; i < 3; i++) {
      Lease handle = locks.lock("a", LockOptions.fixed(BRIEF)).acquire();
      handles.add(handle);
      told.add(
          handle
              .lost()
              .handle(
                  (loss, failure) -> {
                    onTimer.compareAndSet(false, timers.contains(Thread.currentThread()));
                    handle.releaseAsync(); // changes the hold while its handles are told
                    return calls.incrementAndGet();
                  })
              .toCompletableFuture());
    }
    for (CompletableFuture<Integer> one : told) {
      one.get(20, SECONDS);
    }
    assertEquals(3, calls.get());
    assertFalse(onTimer.get(), "a callback ran on the timers' thread");
    locks.lock("a").acquire().release();
  }

  private Scheduler noting(Set<Thread> threads) {
    ScheduledExecutorService pool =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task);
              threads.add(thread);
              return thread;
            });
    open.add(pool::shutdownNow);
    return (delay, task) -> {
      var timer = pool.schedule(task, delay.toNanos(), NANOSECONDS);
      return () -> timer.cancel(false);
    };
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aChainOfThousandsOfWaiters(Kind kind) throws Exception {
    LockManager locks = manager(b -> b.executor(kind.make()));
    Lease first = locks.lock("a").acquire();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < CHAIN; i++) {
      all.add(
          locks.lock("a").acquireAsync().thenCompose(Lease::releaseAsync).toCompletableFuture());
    }
    first.release();
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, SECONDS);
    locks.lock("a").tryAcquire().orElseThrow().release();
  }

  @Test
  void aChainOfRefusalsNeedsNoStack() throws Exception {
    LockManager locks = manager(b -> b);
    LockOptions each =
        LockOptions.builder().handOver(new HandOver(0, Duration.ofSeconds(1))).build();
    Lease first = locks.lock("a").acquire();
    List<CompletableFuture<Lease>> all = new ArrayList<>();
    for (int i = 0; i < CHAIN; i++) {
      all.add(locks.lock("a", each).acquireAsync().toCompletableFuture());
    }
    store.refuse(); // at once, in the call
    first.release();
    for (CompletableFuture<Lease> one : all) {
      assertThrows(ExecutionException.class, () -> one.get(30, SECONDS));
    }
  }

  @Test
  void theThreadsKeepNothingOfTheirFirstCaller() throws Exception {
    InheritableThreadLocal<Object> inherited = new InheritableThreadLocal<>();
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Object mine = new Object();
    AtomicBoolean found = new AtomicBoolean();
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    try (URLClassLoader loader = new URLClassLoader(new URL[0], before)) {
      inherited.set(mine);
      Thread.currentThread().setContextClassLoader(loader);
      Ticker looking =
          () -> {
            Thread here = Thread.currentThread();
            if (here.getName().startsWith("leasehold-")) {
              seen.add(here);
              if (inherited.get() == mine || here.getContextClassLoader() == loader) {
                found.set(true);
              }
            }
            return System.nanoTime();
          };
      LockManager locks = manager(b -> b.ticker(looking));
      Lease lease = locks.lock("a", LockOptions.fixed(BRIEF)).acquire();
      CompletableFuture<Void> told = lease.lost().thenRun(looking::nanos).toCompletableFuture();
      locks.lock("a").acquireAsync().thenCompose(Lease::releaseAsync).toCompletableFuture().get();
      told.get(20, SECONDS);
    } finally {
      inherited.remove();
      Thread.currentThread().setContextClassLoader(before);
    }
    assertTrue(
        seen.stream().anyMatch(t -> t.getName().startsWith("leasehold-timer-")), seen::toString);
    assertTrue(
        seen.stream().anyMatch(t -> !t.getName().startsWith("leasehold-timer-")), seen::toString);
    assertFalse(found.get(), "a thread of the manager inherited from who opened or used it");
  }
}
