package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("For every kind of lock, messages about bad input name the kind")
class InputOfKindsTest {
  private static final Duration NO_WAIT = null;
  private static final String NO_NAME = null;

  private final List<LockManager> managers = new ArrayList<>();

  @AfterEach
  void close() {
    managers.forEach(LockManager::close);
  }

  private LockManager over(LeaseStore store) {
    LockManager locks = LockManager.over(store).closeGrace(Duration.ZERO).build();
    managers.add(locks);
    return locks;
  }

  private static void lacks(String what, Executable call) {
    assertEquals(what, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  @DisplayName("No wait where one is due")
  void waits() {
    LockManager locks = over(new MapStore(Ticker.system()));
    DistributedSemaphore permits = over(new PermitsStore()).semaphore("x", 2);
    DistributedLatch latch = over(new LatchStub()).latch("x");
    for (DistributedLock lock : List.of(locks.lock("x"), locks.all("x", "y"))) {
      lacks("wait", () -> lock.tryAcquire(NO_WAIT));
      lacks("wait", () -> lock.tryAcquireAsync(NO_WAIT));
    }
    lacks("wait", () -> permits.tryAcquire(1, NO_WAIT));
    lacks("wait", () -> permits.tryAcquireAsync(1, NO_WAIT));
    lacks("wait", () -> latch.await(NO_WAIT));
    lacks("wait", () -> latch.awaitAsync(NO_WAIT));
    lacks("keepFor", () -> latch.open(1, NO_WAIT));
  }

  @Test
  @DisplayName("No names, or no locks, where several are due")
  void several() {
    LockManager locks = over(new MapStore(Ticker.system()));
    Collection<String> none = null;
    lacks("names", () -> locks.all((String[]) null));
    lacks("names", () -> locks.all(none, LockOptions.defaults()));
    lacks("lock name", () -> locks.all("a", NO_NAME));
    lacks("locks", () -> DistributedLock.all((DistributedLock[]) null));
    lacks("lock", () -> DistributedLock.all(locks.lock("a"), null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "semaphore", "read/write lock", "latch"})
  @DisplayName("A name that can't be")
  void names(String kind) {
    Consumer<String> asked =
        switch (kind) {
          case "lock" -> over(new MapStore(Ticker.system()))::lock;
          case "semaphore" -> name -> over(new PermitsStore()).semaphore(name, 2);
          case "read/write lock" -> over(new ReadersStore(new ManualTime()))::readWriteLock;
          default -> over(new LatchStub())::latch;
        };
    lacks(kind + " name", () -> asked.accept(NO_NAME));
    for (String name : List.of("", "x".repeat(513), "a\ud800")) {
      String words =
          String.valueOf(
              assertThrows(IllegalArgumentException.class, () -> asked.accept(name)).getMessage());
      assertTrue(words.startsWith(kind + " name "), words);
    }
  }
}
