package dev.leasehold.redis.set;

import dev.leasehold.redis.set.KindRun.Kind;
import dev.leasehold.simulation.Quiet;
import dev.leasehold.testkit.sim.SimFailure;
import java.util.function.UnaryOperator;

/** Many worlds of kinds of locks on one server ({@link KindRun}). */
public final class KindWorlds {
  private KindWorlds() {}

  /** Runs those of some seeds, and prints what they show; whether nothing was broken. */
  public static boolean print(long first, long seeds) {
    boolean fine = true;
    for (Kind kind : Kind.values()) {
      long holds = 0;
      long broken = 0;
      for (long seed = first; seed < first + seeds; seed++) {
        try {
          KindRun run = new KindRun(seed, kind, UnaryOperator.identity());
          holds += Quiet.during(run::run).lines().count();
        } catch (SimFailure failure) {
          if (broken++ == 0) {
            System.out.println(again(seed, kind));
          }
        }
      }
      System.out.printf(
          "%-20s %6d worlds, %7d holds: %s%n",
          kind, seeds, holds, broken == 0 ? "nothing broken" : broken + " NOT as they should be");
      fine &= broken == 0;
    }
    return fine;
  }

  /** All that happens in it. */
  private static String again(long seed, Kind kind) {
    try {
      return Quiet.during(new KindRun(seed, kind, UnaryOperator.identity()).traced()::run);
    } catch (SimFailure failure) {
      return failure.getMessage();
    }
  }
}
