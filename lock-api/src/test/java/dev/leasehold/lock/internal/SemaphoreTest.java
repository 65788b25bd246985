package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.spi.Ticker;
import org.junit.jupiter.api.Test;

class SemaphoreTest {
  private final LockManager locks = LockManager.over(new MapStore(Ticker.system())).build();

  @Test
  void aStoreWithoutSemaphoresRefusesAtOnce() {
    LockConfigurationException refusal =
        assertThrows(LockConfigurationException.class, () -> locks.semaphore("export", 3));
    String words = String.valueOf(refusal.getMessage());
    for (String part : new String[] {"'export'", "PERMITS", "redis-set"}) {
      assertTrue(words.contains(part), words);
    }
    locks.close();
  }

  @Test
  void aClosedManagerHasNone() {
    locks.close();
    assertThrows(LockManagerClosedException.class, () -> locks.semaphore("export", 3));
  }
}
