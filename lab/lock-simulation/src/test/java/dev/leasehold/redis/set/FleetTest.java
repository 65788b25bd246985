package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.redis.set.FleetRun.HandingOver;
import dev.leasehold.redis.set.FleetRun.HeldNames;
import dev.leasehold.redis.set.FleetRun.Restarted;
import dev.leasehold.redis.set.FleetRun.Waiting;
import dev.leasehold.simulation.Quiet;
import dev.leasehold.testkit.sim.SimFailure;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a fleet costs its server; with thousands of processes by {@link FleetRun}. */
class FleetTest {
  private static final int PROCESSES = 40;
  private static final UnaryOperator<String> AS_SHIPPED = UnaryOperator.identity();

  @Test
  @DisplayName("Leases are renewed in batches: fewer than one command per lease in ten seconds")
  void held() {
    HeldNames held = Quiet.during(() -> FleetRun.held(PROCESSES, 20));
    assertTrue(held.commands() <= PROCESSES * 20 / 10.0 / 3, held::toString);
    assertTrue(held.commands() >= PROCESSES / 10.0, held::toString);
  }

  @Test
  @DisplayName("Ten waiting processes ask once a second, those behind them increasingly less often")
  void waiting() {
    Waiting forty = Quiet.during(() -> FleetRun.waiting(PROCESSES, AS_SHIPPED));
    assertEquals(PROCESSES - 1, forty.waiting(), forty::toString);
    assertTrue(forty.commands() >= 10 && forty.commands() <= 30, forty::toString);
    Waiting many = Quiet.during(() -> FleetRun.waiting(4 * PROCESSES, AS_SHIPPED));
    assertTrue(many.commands() <= 55, many::toString);
  }

  @Test
  @DisplayName("Twin: without its place, each process asks once a second")
  void toldNothing() {
    Waiting forty =
        Quiet.during(
            () -> FleetRun.waiting(PROCESSES, text -> text.replace("ahead >= 10", "false")));
    assertTrue(forty.commands() > 35, forty::toString);
  }

  @Test
  @DisplayName("A hand-over costs at most five commands, regardless of the number of waiters")
  void handingOver() {
    for (int processes : new int[] {10, PROCESSES, 4 * PROCESSES}) {
      HandingOver passed = Quiet.during(() -> FleetRun.handingOver(processes, AS_SHIPPED));
      assertTrue(passed.commands() <= 5, passed::toString);
      assertTrue(passed.perSecond() >= 80, passed::toString);
    }
  }

  @Test
  @DisplayName("Twin: if a release wakes no waiter, the lock changes hands much less often")
  void wakesNobody() {
    String wakes = "return pass_on(KEYS[1], KEYS[2], ways_from(2),";
    HandingOver passed =
        Quiet.during(
            () ->
                FleetRun.handingOver(
                    10, text -> text.replace(wakes, "return tostring(1) and 1 --")));
    assertTrue(passed.perSecond() < 40, passed::toString);
  }

  @Test
  @DisplayName("Twin: a server that grants the lock to all is detected")
  void grantsToAll() {
    String refuses = "elseif held ~= ARGV[1] then";
    UnaryOperator<String> grants = text -> text.replace(refuses, "elseif false then");
    assertThrows(SimFailure.class, () -> Quiet.during(() -> FleetRun.handingOver(10, grants)));
  }

  @Test
  @DisplayName("After a restart no lease is lost, and the lock changes hands again within a second")
  void restarted() {
    Restarted restarted = Quiet.during(() -> FleetRun.restart(PROCESSES, 5));
    assertEquals(0, restarted.lost(), restarted::toString);
    assertTrue(restarted.handOver().toMillis() < 1000, restarted::toString);
    assertTrue(restarted.renewed().toSeconds() < 10, restarted::toString);
  }
}
