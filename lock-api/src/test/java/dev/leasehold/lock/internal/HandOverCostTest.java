package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A hand-over within the process")
class HandOverCostTest {
  private static final int MEASURED = 50;

  private final ManualTime time = new ManualTime();
  private final MapStore store = new MapStore(time);
  private final LockManager locks = time.manager(store).build();
  private final DistributedLock lock =
      locks.lock(
          "a",
          LockOptions.defaults().toBuilder()
              .handOver(new HandOver(1_000, Duration.ofHours(1)))
              .build());

  @AfterEach
  void close() {
    locks.close();
  }

  @Test
  @DisplayName("allocates as much with 4 000 waiters as with 100")
  void independentOfTheQueue() throws Exception {
    bytesEach(200); // what is created once
    long few = bytesEach(100);
    long many = bytesEach(4_000);
    assertEquals(few, many, few / 2.0, "bytes");
  }

  /** Returns the bytes that a hand-over allocates while so many wait. */
  private long bytesEach(int waiting) throws Exception {
    Lease lease = lock.acquire();
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < waiting + MEASURED; i++) {
      waiters.add(lock.acquireAsync().toCompletableFuture());
    }
    assertFalse(waiters.get(0).isDone(), "held");
    int calls = store.calls;
    long before = allocated();
    for (CompletableFuture<Lease> next : waiters.subList(0, MEASURED)) {
      lease.release();
      assertTrue(next.isDone(), "handed over");
      lease = next.join();
    }
    long bytes = allocated() - before;
    assertEquals(calls, store.calls, "calls of the store");
    for (CompletableFuture<Lease> next : waiters.subList(MEASURED, waiters.size())) {
      lease.release();
      lease = next.join();
    }
    lease.release();
    return bytes / MEASURED;
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
