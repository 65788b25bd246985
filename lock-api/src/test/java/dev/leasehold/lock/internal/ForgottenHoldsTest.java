package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.acquire.LockTable;
import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lost holds without a reachable handle: they cost nothing and stop no caller. */
@Timeout(60)
class ForgottenHoldsTest {
  private static final LockOptions FIXED = LockOptions.fixed(Duration.ofSeconds(1));
  private static final Duration A_WHILE = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MANY = 200;

  private final ManualTime time = new ManualTime();
  private final LockManager locks =
      LockManager.over(new MapStore(time))
          .ticker(time)
          .scheduler(time)
          .executor(Runnable::run)
          .closeGrace(Duration.ZERO)
          .build();

  @AfterEach
  void close() {
    locks.close();
  }

  private int namesInMemory() {
    try {
      Field table = locks.getClass().getDeclaredField("locks");
      table.setAccessible(true);
      return ((LockTable) table.get(locks)).all().size();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Lets time go by and garbage be collected until it is so. */
  private void awaitTrue(BooleanSupplier condition, Supplier<String> otherwise) {
    long begun = System.nanoTime();
    while (!aRoundLater(condition)) {
      assertTrue(System.nanoTime() - begun < PATIENCE.toNanos(), otherwise);
    }
  }

  /** Whether it becomes so in some rounds of the same. */
  private boolean comesTrue(BooleanSupplier condition) {
    for (int round = 0; round < 10; round++) {
      if (aRoundLater(condition)) {
        return true;
      }
    }
    return false;
  }

  private boolean aRoundLater(BooleanSupplier condition) {
    System.gc();
    time.advance(A_WHILE);
    Thread.yield(); // what comes due runs on the engine's threads
    return condition.getAsBoolean();
  }

  private void take(String name) {
    assertTrue(locks.lock(name, FIXED).tryAcquire().orElseThrow().isValid());
  }

  private void takeAsync(String name) {
    assertTrue(locks.lock(name, FIXED).acquireAsync().toCompletableFuture().join().isValid());
  }

  @Test
  void leavesNothingInMemory() {
    for (int i = 0; i < MANY; i++) {
      take("thread " + i);
      takeAsync("async " + i);
    }
    assertEquals(2 * MANY, namesInMemory());
    awaitTrue(() -> namesInMemory() == 0, () -> namesInMemory() + " are left");
  }

  @Test
  void whoeverKeepsTheHandleMustReleaseIt() {
    List<Lease> kept = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      kept.add(locks.lock("l" + i, FIXED).tryAcquire().orElseThrow());
    }
    assertFalse(comesTrue(() -> namesInMemory() < MANY));
    for (Lease lease : kept) {
      assertThrows(LeaseLostException.class, lease::release);
    }
    assertEquals(0, namesInMemory());
  }

  @Test
  void aPooledThreadGetsTheNameAgain() {
    take("l");
    time.advance(FIXED.lease());
    DistributedLock lock = locks.lock("l", FIXED);
    awaitTrue(() -> canTake(lock), () -> "its handle is gone, but not its loss");
  }

  @Test
  void aThreadWhoseHandleIsKeptDoesNot() {
    Lease kept = locks.lock("l", FIXED).tryAcquire().orElseThrow();
    time.advance(FIXED.lease());
    DistributedLock lock = locks.lock("l", FIXED);
    assertFalse(comesTrue(() -> canTake(lock)));
    Reference.reachabilityFence(kept);
  }

  private static boolean canTake(DistributedLock lock) {
    try {
      return lock.tryAcquire().isPresent();
    } catch (LeaseLostException lost) {
      return false;
    }
  }

  /** The view keeps no handle, and its thread may still come to unlock. */
  @Test
  void aLossThroughTheViewIsToldAtUnlock() {
    Lock view = locks.lock("l", FIXED).asLock();
    view.lock();
    time.advance(FIXED.lease());
    assertFalse(comesTrue(() -> namesInMemory() == 0));
    IllegalMonitorStateException told =
        assertThrows(IllegalMonitorStateException.class, view::unlock);
    assertTrue(told.getCause() instanceof LeaseLostException);
    assertEquals(0, namesInMemory());
  }

  @Test
  void aDeadThreadsLossThroughTheViewIsForgotten() throws Exception {
    Thread thread = new Thread(() -> locks.lock("l", FIXED).asLock().lock());
    thread.start();
    thread.join();
    awaitTrue(() -> namesInMemory() == 0, () -> "it is still there");
  }

  @Test
  void askingForTheLossAgainCostsNothing() {
    Lease lease = locks.lock("l", FIXED).tryAcquire().orElseThrow();
    assertSame(lease.lost(), lease.lost());
  }

  @Test
  void whatHangsOnALossRunsThoughNobodyKeepsLeaseOrStage() {
    AtomicInteger told = new AtomicInteger();
    tellLossTo(told);
    System.gc();
    awaitTrue(() -> told.get() > 0, () -> "no loss was signalled");
    assertEquals(1, told.get());
  }

  private void tellLossTo(AtomicInteger told) {
    locks
        .lock("l", FIXED)
        .tryAcquire()
        .orElseThrow()
        .lost()
        .thenRun(told::incrementAndGet)
        .thenRun(() -> {});
  }
}
