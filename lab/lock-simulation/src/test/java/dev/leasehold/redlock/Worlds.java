package dev.leasehold.redlock;

import dev.leasehold.redlock.QuorumRun.Mode;
import dev.leasehold.redlock.QuorumRun.Shown;
import dev.leasehold.simulation.Quiet;
import dev.leasehold.testkit.sim.SimFailure;
import java.util.ArrayList;
import java.util.List;

/** The combined results of many worlds of one kind. Not thread-safe. */
final class Worlds {
  private final Mutant mutant;
  private final Mode mode;
  private final List<String> failures = new ArrayList<>();
  private long worlds;
  private long holds;
  private long overlaps;
  private long rejected;
  private long caught;
  private long firstCaught;

  Worlds(Mutant mutant, Mode mode) {
    this.mutant = mutant;
    this.mode = mode;
  }

  /** Runs the worlds of these seeds. */
  Worlds run(long first, long count) {
    for (long seed = first; seed < first + count; seed++) {
      run(seed);
    }
    return this;
  }

  void run(long seed) {
    worlds++;
    Shown shown;
    try {
      shown = Quiet.during(() -> new QuorumRun(seed, mutant, mode).run());
    } catch (SimFailure failure) {
      failures.add(replay(seed) + "\n" + failure.getMessage());
      return;
    }
    holds += shown.verdict().holds();
    overlaps += shown.overlaps();
    rejected += shown.rejected();
    if (shown.breaks(mutant.caughtAt())) {
      firstCaught = caught++ == 0 ? seed : Math.min(seed, firstCaught);
    }
  }

  /** The command that replays the world of a seed. */
  private String replay(long seed) {
    return "seed "
        + seed
        + ", all of it by: mvn -q -Psimulation -Dsimulation.seeds=1 -Dsimulation.first="
        + seed
        + (mutant == Mutant.NONE ? "" : " -Dsimulation.mutant=" + mutant)
        + (mode == Mode.FENCED ? "" : " -Dsimulation.mode=" + mode);
  }

  /** Adds the results of others of this kind. */
  void add(Worlds others) {
    failures.addAll(others.failures);
    worlds += others.worlds;
    holds += others.holds;
    overlaps += others.overlaps;
    rejected += others.rejected;
    firstCaught =
        caught == 0 || (others.caught > 0 && others.firstCaught < firstCaught)
            ? others.firstCaught
            : firstCaught;
    caught += others.caught;
  }

  /** Violations that no mutant is allowed to cause. */
  List<String> failures() {
    return failures;
  }

  /**
   * Whether no required guarantee was broken and the mutant was caught. Outside the fault model,
   * stale holders must have occurred and been rejected.
   */
  boolean areAsTheyShouldBe() {
    boolean refused = mode == Mode.PLAIN || !mutant.isOutside() || rejected > 0;
    return failures.isEmpty() && refused && (mutant == Mutant.NONE || caught > 0);
  }

  long holds() {
    return holds;
  }

  long overlaps() {
    return overlaps;
  }

  long rejected() {
    return rejected;
  }

  long caught() {
    return caught;
  }

  @Override
  public String toString() {
    return String.format(
        "%-20s %-6s %6d worlds, %7d holds, %5d overlaps, %5d stale writes refused: %s",
        mutant, mode, worlds, holds, overlaps, rejected, outcome());
  }

  private String outcome() {
    if (!failures.isEmpty()) {
      return failures.size() + " NOT as they should be";
    }
    if (mutant == Mutant.NONE) {
      return "nothing broken";
    }
    return caught == 0
        ? "NOT CAUGHT"
        : "caught by " + caught + ", first by seed " + firstCaught + ", at " + mutant.caughtAt();
  }
}
