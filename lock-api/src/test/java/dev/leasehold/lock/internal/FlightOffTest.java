package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.flight.Flight;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counts bytes, not time: they are the same on a busy machine. */
@DisplayName("The cost of flight recording while nothing is recorded")
@Timeout(60)
class FlightOffTest {
  private static final int CALLS = 1_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The least of some rounds: the first ones load classes. */
  private long allocated(Runnable call) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        call.run();
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  @Test
  @DisplayName("Not one byte: no event is made")
  void nothing() {
    assertTrue(allocated(Object::new) >= CALLS * 8L, "what allocates is seen");
    LeaseLoss loss = new LeaseLoss(LockKind.LOCK, "off", LeaseLoss.Reason.EXPIRED, "late");
    LockStoreException failure =
        new LockStoreException(LockStoreException.Kind.UNREACHABLE, "away");
    Duration left = Duration.ofSeconds(1);
    Flight flight = Flight.RECORDER;
    assertFalse(flight.isOn());
    assertEquals(0, allocated(flight::isOn), "asking");
    assertEquals(0, allocated(() -> flight.acquiring(LockKind.LOCK, "off")), "an acquisition");
    assertEquals(0, allocated(() -> flight.holding(LockKind.LOCK, "off")), "a hold");
    assertEquals(0, allocated(() -> flight.lost(loss)), "a loss");
    assertEquals(
        0, allocated(() -> flight.renewalFailed(LockKind.LOCK, "off", left, failure)), "a renewal");
  }
}
