package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.simulation.Quiet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several locks at once on a quorum, in random worlds by seed. {@code -Dleasehold.seeds=100000}
 * runs more of them; {@link SimulationRun} describes how to trace a single one.
 */
class TogetherQuorumTest {
  private static final int SEEDS = Integer.getInteger("leasehold.seeds", 20);
  private static final int MUTANT_WORLDS = 300;

  @Test
  @DisplayName(
      "One holder per name, no waiting while holding, every acquisition ends, nothing is left")
  void noViolation() {
    KindWorlds worlds = KindWorlds.severalOnQuorum(KindMutant.NONE).run(1, SEEDS);
    System.out.println(worlds);
    assertEquals(List.of(), worlds.failures());
    assertTrue(worlds.holds() > 4L * SEEDS, "the worlds must have been busy: " + worlds);
  }

  @Test
  @DisplayName("A seed repeats its world")
  void repeats() {
    KindWorlds worlds = KindWorlds.severalOnQuorum(KindMutant.NONE);
    String once = Quiet.during(worlds.world(4)::run);
    assertEquals(once, Quiet.during(worlds.world(4)::run));
  }

  /** Each mutant with a seed that currently reveals it. */
  static Stream<Arguments> mutants() {
    return Stream.of(
        arguments(KindMutant.SEVERAL_BY_HALF_THE_VOTES, 4),
        arguments(KindMutant.SEVERAL_WAITED_FOR, 1));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @DisplayName("Each fault is detected in some world, by the checks it should break and no others")
  void mutant(KindMutant mutant, long known) {
    KindWorlds worlds = KindWorlds.severalOnQuorum(mutant).run(known, 1);
    // In case the code draws differently.
    for (long seed = 1; seed <= MUTANT_WORLDS && worlds.caught() == 0; seed++) {
      worlds.run(seed);
    }
    System.out.println(worlds);
    assertEquals(List.of(), worlds.failures());
    assertTrue(worlds.caught() > 0, worlds::toString);
  }
}
