package dev.leasehold.redlock;

import dev.leasehold.redis.set.KindRun;
import dev.leasehold.redis.set.LatchRun;
import dev.leasehold.redis.set.TogetherRun;
import dev.leasehold.simulation.KindWorld.Kind;
import dev.leasehold.simulation.Quiet;
import dev.leasehold.simulation.StoryWorld;
import dev.leasehold.testkit.sim.SimFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Worlds with locks of one kind, latches, or several locks at once, on one server or a quorum, and
 * their combined results. Not thread-safe.
 */
final class KindWorlds {
  private final String name;
  private final KindMutant mutant;
  private final LongFunction<StoryWorld> worldOf;
  private final List<String> failures = new ArrayList<>();
  private long worlds;
  private long holds;
  private long caught;
  private long firstCaught = Long.MAX_VALUE;

  private KindWorlds(String name, KindMutant mutant, LongFunction<StoryWorld> worldOf) {
    this.name = name;
    this.mutant = mutant;
    this.worldOf = worldOf;
  }

  static KindWorlds onQuorum(Kind kind, KindMutant mutant) {
    return onQuorum(kind.name(), mutant, seed -> new KindQuorumRun(seed, kind, mutant));
  }

  static KindWorlds severalOnQuorum(KindMutant mutant) {
    return onQuorum("TOGETHER", mutant, seed -> new TogetherQuorumRun(seed, mutant));
  }

  private static KindWorlds onQuorum(
      String kind, KindMutant mutant, LongFunction<StoryWorld> worldOf) {
    String what = mutant == KindMutant.NONE ? kind : mutant.name();
    return new KindWorlds(what + "_ON_A_QUORUM", mutant, worldOf);
  }

  /** All of them: first the production code, then the mutants. */
  static List<KindWorlds> all() {
    UnaryOperator<String> shipped = UnaryOperator.identity();
    List<KindWorlds> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      all.add(
          new KindWorlds(kind.name(), KindMutant.NONE, seed -> new KindRun(seed, kind, shipped)));
    }
    all.add(new KindWorlds("LATCH", KindMutant.NONE, seed -> new LatchRun(seed, shipped)));
    all.add(new KindWorlds("TOGETHER", KindMutant.NONE, seed -> new TogetherRun(seed, shipped)));
    for (KindMutant mutant : KindMutant.values()) {
      for (Kind kind : Kind.values()) {
        if (mutant.is(kind)) {
          all.add(onQuorum(kind, mutant));
        }
      }
      if (mutant.isOfSeveral()) {
        all.add(severalOnQuorum(mutant));
      }
    }
    return all;
  }

  /** The same without results. */
  KindWorlds none() {
    return new KindWorlds(name, mutant, worldOf);
  }

  boolean isRight() {
    return mutant == KindMutant.NONE;
  }

  boolean isOnQuorum() {
    return name.endsWith("_ON_A_QUORUM");
  }

  /** The mode name to select its worlds by. */
  String name() {
    return name;
  }

  StoryWorld world(long seed) {
    return worldOf.apply(seed);
  }

  KindWorlds run(long first, long count) {
    for (long seed = first; seed < first + count; seed++) {
      run(seed);
    }
    return this;
  }

  void run(long seed) {
    worlds++;
    try {
      holds += Quiet.during(world(seed)::run).lines().count();
    } catch (SimFailure failure) {
      if (!isRight() && Pattern.compile(mutant.found()).matcher(failure.getMessage()).lookingAt()) {
        caught++;
        firstCaught = Math.min(seed, firstCaught);
      } else {
        failures.add(
            "seed "
                + seed
                + ", all of it by: mvn -q -Psimulation -Dsimulation.seeds=1 -Dsimulation.first="
                + seed
                + " -Dsimulation.mode="
                + name()
                + "\n"
                + failure.getMessage());
      }
    }
  }

  /** Adds the results of others. */
  void add(KindWorlds others) {
    failures.addAll(others.failures);
    worlds += others.worlds;
    holds += others.holds;
    caught += others.caught;
    firstCaught = Math.min(firstCaught, others.firstCaught);
  }

  /** Forbidden violations. */
  List<String> failures() {
    return failures;
  }

  long holds() {
    return holds;
  }

  long caught() {
    return caught;
  }

  boolean areAsTheyShouldBe() {
    return failures.isEmpty() && (isRight() || caught > 0);
  }

  @Override
  public String toString() {
    return String.format("%-38s %6d worlds, %7d holds: %s", name, worlds, holds, outcome());
  }

  private String outcome() {
    if (!failures.isEmpty()) {
      return failures.size() + " NOT as they should be";
    }
    if (isRight()) {
      return "nothing broken";
    }
    return caught == 0
        ? "NOT CAUGHT"
        : "caught by " + caught + ", first by seed " + firstCaught + ", at " + mutant.found();
  }
}
