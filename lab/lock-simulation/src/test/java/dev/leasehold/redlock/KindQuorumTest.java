package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.simulation.KindWorld.Kind;
import dev.leasehold.simulation.Quiet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kinds of locks, and several at once, on a quorum, in random worlds by seed. {@code
 * -Dleasehold.seeds=100000} runs more of them; {@link SimulationRun} describes how to trace a
 * single one.
 */
class KindQuorumTest {
  private static final int SEEDS = Integer.getInteger("leasehold.seeds", 20);
  private static final int MUTANT_WORLDS = 300;

  /** The worlds as shipped, and how many holds each has at least. */
  static Stream<Arguments> shipped() {
    return Stream.of(
        arguments(KindWorlds.onQuorum(Kind.SEMAPHORE, KindMutant.NONE), 2),
        arguments(KindWorlds.onQuorum(Kind.READ_WRITE, KindMutant.NONE), 2),
        arguments(KindWorlds.severalOnQuorum(KindMutant.NONE), 4));
  }

  @ParameterizedTest
  @MethodSource("shipped")
  @DisplayName(
      "No more holds than allowed, none of several while waiting, tokens increase, every owner ends,"
          + " nothing is left")
  void noViolation(KindWorlds worlds, long holds) {
    worlds.run(1, SEEDS);
    System.out.println(worlds);
    assertEquals(List.of(), worlds.failures());
    assertTrue(worlds.holds() > holds * SEEDS, "the worlds must have been busy: " + worlds);
  }

  @ParameterizedTest
  @MethodSource("shipped")
  @DisplayName("A seed repeats its world")
  void repeats(KindWorlds worlds) {
    String once = Quiet.during(worlds.world(4)::run);
    assertEquals(once, Quiet.during(worlds.world(4)::run));
  }

  /**
   * Each mutant with a seed that currently reveals it. Only those that many worlds reveal, since
   * the seeds change with the code; {@link SimulationRun} looks for the others.
   */
  static Stream<Arguments> mutants() {
    return Stream.of(
        arguments(KindWorlds.onQuorum(Kind.READ_WRITE, KindMutant.HALF_THE_VOTES), 1),
        arguments(KindWorlds.onQuorum(Kind.READ_WRITE, KindMutant.WRITER_FORGOTTEN), 60),
        arguments(KindWorlds.onQuorum(Kind.SEMAPHORE, KindMutant.COUNTED_PER_NODE), 14),
        arguments(KindWorlds.onQuorum(Kind.SEMAPHORE, KindMutant.SLOTS_WRITE_NOTHING_BACK), 56),
        arguments(KindWorlds.severalOnQuorum(KindMutant.SEVERAL_BY_HALF_THE_VOTES), 4),
        arguments(KindWorlds.severalOnQuorum(KindMutant.SEVERAL_WAITED_FOR), 1));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @DisplayName("Each fault is detected in some world, by the checks it should break and no others")
  void mutant(KindWorlds worlds, long known) {
    worlds.run(known, 1);
    // In case the code draws differently.
    for (long seed = 1; seed <= MUTANT_WORLDS && worlds.caught() == 0; seed++) {
      worlds.run(seed);
    }
    System.out.println(worlds);
    assertEquals(List.of(), worlds.failures());
    assertTrue(worlds.caught() > 0, worlds::toString);
  }
}
