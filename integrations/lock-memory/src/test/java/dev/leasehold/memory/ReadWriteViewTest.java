package dev.leasehold.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.LockManager;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A read/write lock's view does as ReentrantReadWriteLock does")
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadWriteViewTest {
  private static final int STEPS = 150;
  private final MemoryLocks memory = MemoryLocks.inRealTime();
  private final LockManager locks = memory.manager(b -> b.closeGrace(Duration.ZERO));
  private int names;

  /** Each holds by itself. */
  private List<ExecutorService> threads = List.of();

  @BeforeEach
  void begin() {
    threads = List.of(Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor());
  }

  @AfterEach
  void end() {
    threads.forEach(ExecutorService::shutdownNow);
  }

  @AfterAll
  void close() {
    memory.close();
  }

  private ReadWriteLock view() {
    return locks.readWriteLock("view-" + names++).asReadWriteLock();
  }

  Stream<ReadWriteLock> locks() {
    return Stream.of(new ReentrantReadWriteLock(), view());
  }

  /** What a thread may do that doesn't have to wait. */
  private enum Step {
    TRY {
      @Override
      Object on(Lock side) {
        return side.tryLock();
      }
    },
    TRY_FOR_NO_TIME {
      @Override
      Object on(Lock side) throws InterruptedException {
        return side.tryLock(0, TimeUnit.SECONDS);
      }
    },
    INTERRUPTED {
      @Override
      Object on(Lock side) throws InterruptedException {
        Thread.currentThread().interrupt();
        side.lockInterruptibly();
        return "not interrupted";
      }
    },
    UNLOCK {
      @Override
      Object on(Lock side) {
        side.unlock();
        return "unlocked";
      }
    };

    abstract Object on(Lock side) throws InterruptedException;

    /** What comes of it, an exception too. */
    Object outcome(Lock side) {
      try {
        return on(side);
      } catch (InterruptedException | IllegalMonitorStateException e) {
        return e.getClass();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName(
      "Any program of two threads has the same result, except for readers that want to" + " write")
  void same(long seed) throws Exception {
    Random random = new Random(seed);
    ReentrantReadWriteLock theirs = new ReentrantReadWriteLock();
    ReadWriteLock ours = view();
    for (int i = 0; i < STEPS; i++) {
      Step step = Step.values()[random.nextInt(Step.values().length)];
      boolean writes = random.nextBoolean();
      int thread = random.nextInt(threads.size());
      String what = "step " + i + ": thread " + thread + ", " + step + (writes ? " writes" : "");
      on(
          thread,
          () -> {
            boolean waitsForItself =
                writes && theirs.getReadHoldCount() > 0 && theirs.getWriteHoldCount() == 0;
            Object expected = step.outcome(writes ? theirs.writeLock() : theirs.readLock());
            if (waitsForItself && Boolean.FALSE.equals(expected)) {
              expected = IllegalMonitorStateException.class; // as the javadoc says
            }
            Object is = step.outcome(writes ? ours.writeLock() : ours.readLock());
            assertEquals(expected, is, what);
            return null;
          });
    }
  }

  @ParameterizedTest
  @MethodSource("locks")
  @DisplayName("Waiters acquire after the unlock: a writer after all readers, readers together")
  void waits(ReadWriteLock lock) throws Exception {
    lock.readLock().lock();
    Future<?> writer = threads.get(0).submit(() -> lock.writeLock().lock());
    assertThrows(TimeoutException.class, () -> writer.get(50, TimeUnit.MILLISECONDS));
    lock.readLock().unlock();
    writer.get(20, TimeUnit.SECONDS);
    assertFalse(lock.readLock().tryLock());
    Future<?> reader = threads.get(1).submit(() -> lock.readLock().lock());
    on(
        0,
        () -> {
          lock.readLock().lock();
          lock.writeLock().unlock();
          return null;
        });
    reader.get(20, TimeUnit.SECONDS);
    assertFalse(lock.writeLock().tryLock());
  }

  @ParameterizedTest
  @MethodSource("locks")
  @DisplayName("An interrupt ends a wait for either side, and nothing is left of it")
  void interrupted(ReadWriteLock lock) throws Exception {
    lock.writeLock().lock();
    List<Future<?>> waiters =
        List.of(
            threads.get(0).submit(() -> locked(lock.readLock())),
            threads.get(1).submit(() -> locked(lock.writeLock())));
    threads.forEach(ExecutorService::shutdownNow);
    for (Future<?> waiter : waiters) {
      ExecutionException ended =
          assertThrows(ExecutionException.class, () -> waiter.get(20, TimeUnit.SECONDS));
      assertInstanceOf(InterruptedException.class, ended.getCause());
    }
    lock.writeLock().unlock();
    lock.writeLock().lock();
  }

  private static Object locked(Lock side) throws InterruptedException {
    side.lockInterruptibly();
    return side;
  }

  private <T> T on(int thread, Callable<T> work) throws Exception {
    try {
      return threads.get(thread).submit(work).get(20, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AssertionError wrong) {
        throw wrong;
      }
      throw e;
    }
  }
}
