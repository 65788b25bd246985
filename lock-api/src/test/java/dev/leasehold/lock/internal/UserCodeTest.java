package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** User code on the executor that there is: it can delay and harm only itself. */
@Timeout(60)
class UserCodeTest extends StuckCallbacks {
  private static final int MANY = 150;
  private static final int CHAIN = 3000;

  private void compute() {
    while (end.getCount() > 0) {
      Thread.onSpinWait();
    }
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
  void whatIsGivenUpGoesBackBesideABusyExecutor() {
    LockManager locks = manager(b -> b.executor(task -> {})); // it never comes to it
    LockManager other = manager(b -> b);
    List<Predicate<CompletableFuture<Lease>>> ways =
        List.of(
            asked -> asked.cancel(false),
            asked -> asked.completeExceptionally(new TimeoutException("of the user's")),
            asked -> asked.complete(other.lock("another").tryAcquire().orElseThrow()));
    for (Predicate<CompletableFuture<Lease>> giveUp : ways) {
      CompletableFuture<Lease> asked = locks.lock("a").acquireAsync().toCompletableFuture();
      assertTrue(other.lock("a").tryAcquire().isEmpty(), "it was granted");
      assertTrue(giveUp.test(asked));
      other.lock("a").tryAcquire().orElseThrow().release();
    }
    var timed = locks.lock("a").tryAcquireAsync(SLACK).toCompletableFuture();
    assertTrue(timed.complete(Optional.empty()));
    other.lock("a").tryAcquire().orElseThrow().release();
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
    assertFalse(
        found.get(), "a thread of the manager inherited from the thread that opened or used it");
  }
}
