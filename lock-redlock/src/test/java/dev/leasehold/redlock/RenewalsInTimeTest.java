package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A process that only renews")
class RenewalsInTimeTest {
  private static final Duration LEASE = Duration.ofSeconds(6);

  private final HeardNodes heard = new HeardNodes();
  private final SimQuorum sim = new SimQuorum(3);

  /** So many renewals are late. */
  private int late;

  private void hold() {
    SimClient client =
        sim.client(
            "c",
            QuorumPolicy.majority(),
            call ->
                call.operation() == Operation.RENEW && late-- > 0
                    ? Fate.after(Duration.ofMillis(400))
                    : Fate.after(SimQuorum.WAY),
            builder -> builder.listener(heard));
    Optional<Lease> lease =
        sim.world.await(
            client
                .lock("l", LockOptions.builder().automaticLease(LEASE).build())
                .tryAcquireAsync(Duration.ZERO)
                .toCompletableFuture());
    assertTrue(lease.isPresent());
  }

  @Test
  @DisplayName("does not call nodes slow that were late a few times in an hour")
  void notSlow() {
    hold();
    for (int i = 0; i < 5; i++) {
      sim.run(600_000);
      late = 3; // one of each node
      sim.run(10_000);
    }
    assertEquals(List.of(), heard.events);
    assertEquals(3, sim.held("l"));
  }

  @Test
  @DisplayName("calls nodes slow that are late each time, until they are in time")
  void slow() {
    hold();
    sim.run(10_000);
    late = 3 * 3;
    sim.run(10_000);
    assertEquals(3, heard.events.stream().filter(NodeEvent.Slow.class::isInstance).count());
    assertEquals(3, heard.events.stream().filter(NodeEvent.InTime.class::isInstance).count());
  }
}
