package dev.leasehold.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName(
    "Requests that no kind of lock supports are refused with value, limit and an" + " alternative")
class KindRefusalsTest {
  private final MemoryLocks memory = MemoryLocks.inManualTime();
  private final LockManager locks = memory.manager();

  @AfterEach
  void close() {
    memory.close();
  }

  private static void refused(Class<? extends Exception> type, String words, Executable operation) {
    assertEquals(words, assertThrows(type, operation).getMessage());
  }

  @Test
  @DisplayName("Permits that can't be: of a semaphore, and at once")
  void permits() {
    refused(
        IllegalArgumentException.class,
        "a semaphore of -1 permits: on this store it has 1 to 1000000 of them",
        () -> locks.semaphore("export", -1));
    DistributedSemaphore two = locks.semaphore("export", 2);
    for (int wrong : new int[] {-1, 0, 3}) {
      refused(
          IllegalArgumentException.class,
          wrong
              + " permits of semaphore 'export': an acquisition takes 1 to 2, as many as there are",
          () -> two.tryAcquire(wrong));
    }
  }

  @Test
  @DisplayName("Another number than the name has")
  void anotherNumber() {
    Lease permit = locks.semaphore("export", 2).tryAcquire().orElseThrow();
    refused(
        LockConfigurationException.class,
        "semaphore 'export' has 2 permits, and was requested with 3: all users of a name have"
            + " to agree. Request 2, or change it by resize(3) on the semaphore of 2; a name that"
            + " is"
            + " unused for long enough forgets its number",
        () -> locks.semaphore("export", 3).tryAcquire());
    permit.release();
  }

  @Test
  @DisplayName("A reader that would write")
  void upgrade() {
    DistributedReadWriteLock catalogue = locks.readWriteLock("catalogue");
    Lease reading = catalogue.read().tryAcquire().orElseThrow();
    refused(
        IllegalMonitorStateException.class,
        "read lock 'catalogue' cannot be upgraded to the write lock (it would deadlock with"
            + " itself): release the read side first, or take the write side first",
        () -> catalogue.write().tryAcquire());
    reading.release();
  }

  @Test
  @DisplayName("A latch of no count-down, and one that is kept for too long")
  void latch() {
    DistributedLatch loaded = locks.latch("loaded");
    refused(
        IllegalArgumentException.class,
        "latch 'loaded' of 0 count-downs: it waits for 1 to 100000 of them",
        () -> loaded.open(0, Duration.ofHours(1)));
    refused(
        IllegalArgumentException.class,
        "keepFor 366d is not between 1ms and 365d",
        () -> loaded.open(1, Duration.ofDays(366)));
  }
}
