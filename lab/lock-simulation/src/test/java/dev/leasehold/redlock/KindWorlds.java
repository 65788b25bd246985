package dev.leasehold.redlock;

import dev.leasehold.redis.set.KindRun;
import dev.leasehold.simulation.KindWorld;
import dev.leasehold.simulation.KindWorld.Kind;
import dev.leasehold.simulation.Quiet;
import dev.leasehold.testkit.sim.SimFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Worlds of one kind of locks, on one server or on a quorum, and what many of them have shown
 * together. Not thread-safe.
 */
final class KindWorlds {
  private final Kind kind;
  private final boolean isQuorum;
  private final KindMutant mutant;
  private final List<String> failures = new ArrayList<>();
  private long worlds;
  private long holds;
  private long caught;
  private long firstCaught = Long.MAX_VALUE;

  private KindWorlds(Kind kind, boolean isQuorum, KindMutant mutant) {
    this.kind = kind;
    this.isQuorum = isQuorum;
    this.mutant = mutant;
  }

  static KindWorlds onOneServer(Kind kind) {
    return new KindWorlds(kind, false, KindMutant.NONE);
  }

  static KindWorlds onQuorum(Kind kind, KindMutant mutant) {
    return new KindWorlds(kind, true, mutant);
  }

  /** All there are: first what ships, then what is wrong. */
  static List<KindWorlds> all() {
    List<KindWorlds> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      all.add(onOneServer(kind));
    }
    for (KindMutant mutant : KindMutant.values()) {
      for (Kind kind : Kind.values()) {
        if (mutant.is(kind)) {
          all.add(onQuorum(kind, mutant));
        }
      }
    }
    return all;
  }

  /** The same with nothing shown yet. */
  KindWorlds none() {
    return new KindWorlds(kind, isQuorum, mutant);
  }

  boolean isRight() {
    return mutant == KindMutant.NONE;
  }

  boolean isOnQuorum() {
    return isQuorum;
  }

  /** How its worlds are asked for again. */
  String name() {
    String what = isRight() ? kind.name() : mutant.name();
    return isQuorum ? what + "_ON_A_QUORUM" : what;
  }

  KindWorld world(long seed) {
    return isQuorum
        ? new KindQuorumRun(seed, kind, mutant)
        : new KindRun(seed, kind, UnaryOperator.identity());
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
      if (!isRight() && failure.getMessage().startsWith(mutant.found())) {
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

  /** Adds what others have shown. */
  void add(KindWorlds others) {
    failures.addAll(others.failures);
    worlds += others.worlds;
    holds += others.holds;
    caught += others.caught;
    firstCaught = Math.min(firstCaught, others.firstCaught);
  }

  /** What went wrong and must not. */
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
    return String.format("%-38s %6d worlds, %7d holds: %s", name(), worlds, holds, outcome());
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
