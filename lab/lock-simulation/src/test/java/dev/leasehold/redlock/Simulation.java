package dev.leasehold.redlock;

import dev.leasehold.redis.set.FleetRun;
import dev.leasehold.redlock.model.ModelRun;
import java.util.Arrays;

/**
 * The main class of {@code mvn -q -Psimulation}. {@code -Dsimulation=} names what it starts, with
 * its arguments: {@code worlds} ({@link SimulationRun}, the default, with arguments from other
 * properties), {@code model} ({@link ModelRun}) or {@code fleet} ({@link FleetRun}).
 */
public final class Simulation {
  private Simulation() {}

  /** Arguments: what to start, and its arguments. */
  public static void main(String[] args) throws Exception {
    String[] own = Arrays.copyOfRange(args, 1, args.length);
    switch (args[0]) {
      case "worlds" -> SimulationRun.main(own);
      case "model" -> ModelRun.main(own);
      case "fleet" -> FleetRun.main(own);
      default -> throw new IllegalArgumentException("-Dsimulation=" + args[0] + ": model or fleet");
    }
  }
}
