package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Locks and views of one name are equal")
class EqualityTest {
  private static final LockOptions SHORT = LockOptions.fixed(Duration.ofSeconds(5));

  private final PermitsStore store = new PermitsStore();
  private final LockManager locks = LockManager.over(store).build();
  private final LockManager elsewhere = LockManager.over(new MapStore(Ticker.system())).build();

  @AfterEach
  void close() {
    locks.close();
    elsewhere.close();
  }

  private static void equal(Object one, Object other) {
    assertEquals(one, other);
    assertEquals(one.hashCode(), other.hashCode());
  }

  @Test
  @DisplayName("Locks with the same options and owner")
  void locks() {
    LockOwner owner = LockOwner.unique("owner");
    equal(locks.lock("a"), locks.lock("a"));
    equal(locks.lock("a", SHORT), locks.lock("a", LockOptions.fixed(Duration.ofSeconds(5))));
    equal(locks.lock("a").as(owner), locks.lock("a").as(owner));
    equal(locks.all("a", "b"), locks.all("a", "b"));
    assertNotEquals(locks.lock("a"), locks.lock("b"));
    assertNotEquals(locks.lock("a"), locks.lock("a", SHORT));
    assertNotEquals(locks.lock("a"), locks.lock("a").as(owner));
    assertNotEquals(locks.lock("a"), elsewhere.lock("a"));
    assertNotEquals(locks.all("a", "b"), locks.all("b", "a"));
    assertNotEquals(locks.all("a", "b").hashCode(), locks.all("c", "d").hashCode());
  }

  @Test
  @DisplayName("Views, whatever the options")
  void views() {
    equal(locks.lock("a").asLock(), locks.lock("a", SHORT).asLock());
    equal(locks.all("a", "b").asLock(), locks.all("a", "b").asLock());
    assertNotEquals(locks.lock("a").asLock(), locks.lock("b").asLock());
    assertNotEquals(locks.all("a", "b").asLock(), locks.all("c", "d").asLock());
    assertNotEquals(
        locks.all("a", "b").asLock().hashCode(), locks.all("c", "d").asLock().hashCode());
    assertNotEquals(locks.lock("a").asLock(), elsewhere.lock("a").asLock());
  }

  @Test
  @DisplayName("Semaphores of one number")
  void semaphores() {
    equal(locks.semaphore("a", 3), locks.semaphore("a", 3));
    assertNotEquals(locks.semaphore("a", 3), locks.semaphore("a", 4));
    assertNotEquals(locks.semaphore("a", 3), locks.lock("a"));
  }
}
