package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A vote that stays split")
class SplitVoteTest {
  private static final LockOptions FIXED =
      LockOptions.builder().fixedLease(Duration.ofSeconds(10)).build();
  private static final int ROUNDS = 4;
  private static final int ATTEMPTS = 20;

  /** The times between the rounds of some attempts, in ms. */
  private static List<List<Double>> pauses() {
    SimQuorum sim = new SimQuorum(3);
    SimNode others = sim.world.node("others");
    for (int i = 1; i < 3; i++) { // each has one node, so none gets two
      LeaseKey key = new LeaseKey("l", "token of " + i);
      sim.servers
          .get(i)
          .connect(others, FaultPlan.calm(SimQuorum.WAY))
          .acquire(new AcquireRequest(key, Duration.ofHours(1), IfHeld.REFUSE));
    }
    sim.run(10);
    List<Long> asked = new ArrayList<>();
    FaultPlan watching =
        call -> {
          if (call.operation() == Operation.ACQUIRE && call.server().equals("n0")) {
            asked.add(sim.world.nanos());
          }
          return Fate.after(SimQuorum.WAY);
        };
    SimClient client = sim.client("c", QuorumPolicy.majority(), watching, b -> b);
    List<List<Double>> all = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      asked.clear();
      CompletableFuture<Optional<Lease>> attempt =
          client.lock("l", FIXED).tryAcquireAsync(Duration.ZERO).toCompletableFuture();
      sim.run(1000);
      assertTrue(attempt.isDone(), "it ends");
      assertEquals(Optional.empty(), attempt.join(), "contended");
      assertEquals(ROUNDS, asked.size(), "rounds");
      all.add(
          IntStream.range(1, ROUNDS)
              .mapToObj(round -> (asked.get(round) - asked.get(round - 1)) / 1e6)
              .toList());
    }
    assertEquals(2, sim.held("l"), "nothing is left of them");
    return all;
  }

  @Test
  @DisplayName("is given up after four rounds, with random pauses that double between them")
  void bounded() {
    List<List<Double>> pauses = pauses();
    for (int round = 0; round < ROUNDS - 1; round++) {
      int before = round;
      List<Double> each = pauses.stream().map(all -> all.get(before)).toList();
      String text = "before round " + (round + 2) + ": " + each;
      double answered = 2;
      double longest = 2 * answered * (2 << round); // twice what the round took, and doubled
      assertTrue(each.stream().allMatch(ms -> ms < answered + longest + 0.1), text);
      assertTrue(each.stream().anyMatch(ms -> ms > answered + longest / 2), text);
      assertTrue(each.stream().distinct().count() > ATTEMPTS / 2, text);
    }
  }
}
