package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A waiter is woken by the message of any one node")
class WakeUpTest {
  private static final LockOptions FIXED =
      LockOptions.builder().fixedLease(Duration.ofSeconds(30)).build();
  private static final long AT_ONCE_NANOS = 20_000_000;

  /** How long after a release a waiter has the lock, if only these nodes' messages arrive. */
  private static long woken(int nodes, Set<String> heard) {
    SimQuorum sim = new SimQuorum(nodes);
    FaultPlan deaf =
        call ->
            call.operation() == Operation.WAKE_UP && !heard.contains(call.server())
                ? Fate.requestLost()
                : Fate.after(SimQuorum.WAY);
    SimClient holder = sim.client("holder");
    SimClient waiter = sim.client("waiter", deaf);
    Lease lease = sim.world.await(holder.lock("l", FIXED).acquireAsync());
    CompletableFuture<Lease> waiting = waiter.lock("l", FIXED).acquireAsync().toCompletableFuture();
    sim.run(50);
    assertFalse(waiting.isDone());
    long before = sim.world.nanos();
    lease.releaseAsync();
    sim.world.await(waiting);
    assertEquals(nodes, sim.sent(Operation.WAKE_UP), "each node has sent one");
    return sim.world.nanos() - before;
  }

  @ParameterizedTest(name = "of {0}")
  @ValueSource(ints = {3, 5})
  @DisplayName("All other messages are lost")
  void oneMessage(int nodes) {
    for (int i = 0; i < nodes; i++) {
      String only = "n" + i;
      long nanos = woken(nodes, Set.of(only));
      assertTrue(nanos < AT_ONCE_NANOS, () -> only + ": after " + Duration.ofNanos(nanos));
    }
  }

  @Test
  @DisplayName("The twin: without any message it takes until the waiter asks again")
  void noMessage() {
    assertTrue(woken(3, Set.of()) > 5 * AT_ONCE_NANOS);
    assertTrue(
        woken(3, IntStream.range(0, 3).mapToObj(i -> "n" + i).collect(Collectors.toSet()))
            < AT_ONCE_NANOS);
  }
}
