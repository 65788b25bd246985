package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.threads.Alarms;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@DisplayName("The time-outs of calls, whatever is given to the manager")
class CallTimeoutsTest {
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  /** Answers, until it is set otherwise. */
  private static final class Asked extends MapStore {
    volatile Supplier<CompletableFuture<AcquireResult>> instead = () -> null;

    Asked() {
      super(Ticker.system());
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      CompletableFuture<AcquireResult> other = instead.get();
      return other == null ? super.acquire(request) : other;
    }
  }

  private final Asked store = new Asked();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable part : open) {
      part.close();
    }
  }

  private LockManager.Builder builder() {
    return LockManager.over(store).commandTimeout(TIMEOUT).closeGrace(Duration.ofMillis(50));
  }

  private LockManager built(LockManager.Builder builder) {
    LockManager made = builder.build();
    open.add(made);
    return made;
  }

  private static <T> Future<T> started(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static void assertTimedOut(Future<?> call) {
    ExecutionException failed = assertThrows(ExecutionException.class, () -> call.get(10, SECONDS));
    assertEquals(
        Kind.TIMED_OUT, assertInstanceOf(LockStoreException.class, failed.getCause()).kind());
  }

  @Test
  @DisplayName("a scheduler that is shut down between two calls: the second ends in time")
  void schedulerShutDown() throws Exception {
    ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
    Scheduler given =
        (delay, task) -> {
          var timer = pool.schedule(task, delay.toNanos(), NANOSECONDS);
          return () -> timer.cancel(false);
        };
    LockManager manager = built(builder().scheduler(given));
    CompletableFuture<AcquireResult> first = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(1);
    store.instead =
        () -> {
          asked.countDown();
          return first;
        };
    Future<?> answered = started(() -> manager.lock("a").tryAcquire());
    asked.await();
    Thread.sleep(20); // its time-out is set, and nothing shows where
    first.complete(new AcquireResult.Held(Duration.ofSeconds(1)));
    answered.get(10, SECONDS);
    Thread.sleep(TIMEOUT.toMillis() / 4); // the timer that is set is in the middle of its time
    pool.shutdownNow();
    store.instead = CompletableFuture::new;
    assertTimedOut(started(() -> manager.lock("b").tryAcquire()));
  }

  @Test
  @DisplayName("and the message names the operation, the kind and the lock")
  void message() {
    LockManager manager = built(builder());
    store.instead = CompletableFuture::new;
    LockStoreException asked =
        assertThrows(LockStoreException.class, () -> manager.lock("c").tryAcquire());
    String end = ": the store did not answer within " + TIMEOUT.toMillis() + "ms";
    assertTrue(asked.getMessage().contains("Could not acquire lock 'c'" + end), asked::toString);
  }

  @Test
  @DisplayName("the same where the caller's thread makes the call")
  void schedulerShutDownUnderCallers() throws Exception {
    ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
    CuttableStore blocking = new CuttableStore(new MapStore(Ticker.system()));
    open.add(blocking::open);
    LockManager manager =
        built(
            LockManager.over(blocking)
                .commandTimeout(TIMEOUT)
                .closeGrace(Duration.ofMillis(50))
                .scheduler(
                    (delay, task) -> {
                      var timer = pool.schedule(task, delay.toNanos(), NANOSECONDS);
                      return () -> timer.cancel(false);
                    }));
    for (int i = 0; i < 3; i++) {
      manager.lock("a").tryAcquire().orElseThrow().release();
    }
    pool.shutdownNow();
    blocking.hang();
    assertTimedOut(started(() -> manager.lock("b").tryAcquire()));
    blocking.open();
  }

  @Test
  @DisplayName("a ticker that stands still: calls end by the scheduler")
  void tickerStandsStill() {
    LockManager manager = built(builder().ticker(() -> 0));
    store.instead = CompletableFuture::new;
    assertTimedOut(started(() -> manager.lock("a").tryAcquire()));
  }

  @Test
  @DisplayName("a ticker that is set back: calls end by the scheduler")
  void tickerSetBack() {
    AtomicLong back = new AtomicLong();
    LockManager manager = built(builder().ticker(() -> System.nanoTime() - back.get()));
    CountDownLatch asked = new CountDownLatch(1);
    store.instead =
        () -> {
          asked.countDown();
          return new CompletableFuture<>();
        };
    Future<?> call = started(() -> manager.lock("a").tryAcquire());
    Spin.until(() -> asked.getCount() == 0);
    back.set(Duration.ofHours(1).toNanos());
    assertTimedOut(call);
  }

  /** Whichever of the engine's reads it comes between. */
  @ParameterizedTest(name = "after {0} reads")
  @ValueSource(ints = {0, 1, 2, 3})
  @DisplayName("a ticker that is set back while a time-out is set: the call ends by the scheduler")
  void tickerSetBackBetweenReads(int reads) {
    AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    AtomicBoolean asked = new AtomicBoolean();
    Ticker setBack =
        () ->
            asked.get() && left.getAndDecrement() <= 0
                ? System.nanoTime() - Duration.ofHours(1).toNanos()
                : System.nanoTime();
    LockManager manager = built(builder().ticker(setBack));
    store.instead =
        () -> {
          left.set(reads);
          asked.set(true);
          return new CompletableFuture<>();
        };
    assertTimedOut(started(() -> manager.lock("a").tryAcquire()));
  }

  @Test
  @DisplayName("a stage whose cancellation blocks keeps no other call from its time-out")
  void cancellationBlocks() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    open.add(end::countDown);
    LockManager manager = built(builder());
    AtomicLong asked = new AtomicLong();
    store.instead =
        () -> {
          CompletableFuture<AcquireResult> never = new CompletableFuture<>();
          if (asked.incrementAndGet() % 100 == 50) {
            never.whenComplete((value, failure) -> Waits.join(ended(end))); // withdraws its command
          }
          return never;
        };
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      all.add(manager.lock("a" + i).tryAcquireAsync(Duration.ZERO).toCompletableFuture());
    }
    Spin.until(() -> all.stream().allMatch(Future::isDone)); // while ten cancellations block
    end.countDown();
    for (CompletableFuture<?> call : all) {
      assertTimedOut(call);
    }
  }

  private static CompletableFuture<Void> ended(CountDownLatch end) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        },
        task -> new Thread(task).start());
  }

  @Test
  @DisplayName("a finished one keeps nothing that came after it reachable")
  void keepsNothing() throws Exception {
    Alarms all = new Alarms(new ManualTime(), () -> 0);
    Alarms.Alarm first = alarm(new Object[1]);
    all.set(first, TIMEOUT.toNanos());
    List<WeakReference<Object>> tasks = new ArrayList<>();
    Alarms.Alarm before = first;
    for (int i = 0; i < 10; i++) { // one is always under way
      Object[] task = {new Object()};
      tasks.add(new WeakReference<>(task[0]));
      Alarms.Alarm next = alarm(task);
      all.set(next, TIMEOUT.toNanos());
      all.cancel(before);
      before = next;
    }
    all.cancel(before);
    before = first; // a stage that the store keeps refers to it, or the heap's old part does
    for (int i = 0; i < 20 && tasks.stream().anyMatch(task -> task.get() != null); i++) {
      System.gc();
      Thread.sleep(20);
    }
    for (WeakReference<Object> task : tasks) {
      assertNull(task.get());
    }
    all.cancel(first);
  }

  private static Alarms.Alarm alarm(Object[] task) {
    return new Alarms.Alarm() {
      @Override
      protected void ring() {
        task[0] = null;
      }
    };
  }
}
