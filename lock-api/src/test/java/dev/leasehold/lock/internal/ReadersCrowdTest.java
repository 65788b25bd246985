package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("Readers that join and leave at the same moment")
class ReadersCrowdTest {
  private static final int READERS = 4;
  private static final int ROUNDS = 5_000;

  private final ReadersStore store = new ReadersStore(Ticker.system());
  private final LockManager locks = LockManager.over(store).build();
  private final ExecutorService threads = Executors.newFixedThreadPool(READERS);

  /** How often a lease was held that had been given back. */
  private final AtomicInteger wrong = new AtomicInteger();

  @AfterEach
  void close() {
    locks.close();
    threads.shutdownNow();
  }

  private DistributedLock readers(HandOver run) {
    LockOptions options =
        LockOptions.builder().automaticLease(Duration.ofSeconds(30)).handOver(run).build();
    return locks.readWriteLock("r", options).read();
  }

  private void read(DistributedLock lock) throws InterruptedException {
    Lease lease = lock.acquire();
    if (ThreadLocalRandom.current().nextInt(16) == 0) {
      Thread.yield();
    }
    if (!store.isLive(lease.fencingToken()) || !lease.isValid()) {
      wrong.incrementAndGet();
    }
    lease.release();
  }

  private void crowd(DistributedLock lock) throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      boolean reenters = i == 0;
      all.add(
          threads.submit(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  if (reenters && round % 8 == 0) {
                    Lease outer = lock.acquire();
                    read(lock);
                    outer.release();
                  } else {
                    read(lock);
                  }
                }
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get();
    }
    assertEquals(0, wrong.get(), "holds over a lease that was given back");
    assertTrue(store.map.isEmpty(), "no lease is left behind");
    // Without readers that join, each round costs two calls, and all this shows nothing.
    assertTrue(store.map.calls() < 2 * READERS * ROUNDS, () -> store.map.calls() + " calls");
  }

  @Test
  @DisplayName("No thread holds a released lease, and none is left behind")
  void longRuns() throws Exception {
    crowd(readers(new HandOver(1000, Duration.ofHours(1))));
  }

  @Test
  @DisplayName("The same where runs are short")
  void shortRuns() throws Exception {
    crowd(readers(new HandOver(2, Duration.ofMillis(1))));
  }

  @Test
  @DisplayName("A close in the middle leaves nothing behind")
  void closing() throws Exception {
    DistributedLock lock = readers(new HandOver(1000, Duration.ofHours(1)));
    List<Future<?>> all = new ArrayList<>();
    AtomicInteger taken = new AtomicInteger();
    for (int i = 0; i < READERS; i++) {
      all.add(
          threads.submit(
              () -> {
                try {
                  while (true) {
                    lock.acquire().release();
                    taken.incrementAndGet();
                  }
                } catch (LeaseLostException | LockManagerClosedException end) {
                  return null;
                }
              }));
    }
    Spin.until(() -> taken.get() >= ROUNDS);
    locks.close();
    for (Future<?> each : all) {
      each.get(20, TimeUnit.SECONDS);
    }
    assertTrue(store.map.isEmpty(), "no lease is left behind");
  }
}
