package dev.leasehold.redis.set;

import dev.leasehold.simulation.Quiet;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * What a fleet costs its server, as points of pictures (lock-benchmarks draws them): names that are
 * held, one name that all wait for, and a restart of the server.
 *
 * <pre>
 * mvn -q -Psimulation -Dsimulation=fleet, or "fleet 10,100,1000 100"
 * </pre>
 */
public final class FleetRun {
  private static final Duration WARM = Duration.ofSeconds(12);
  private static final Duration MEASURED = Duration.ofSeconds(30);
  private static final Duration SECTION = Duration.ofMillis(10);
  private static final Duration FOR_LONG = Duration.ofMinutes(10);
  private static final Duration DOWN = Duration.ofSeconds(2);

  private static final UnaryOperator<String> AS_SHIPPED = UnaryOperator.identity();

  private FleetRun() {}

  /** Arguments: numbers of processes, and of names that each holds; both have defaults. */
  public static void main(String[] args) {
    int names = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    for (String processes : (args.length > 0 ? args[0] : "10,100,1000").split(",")) {
      int many = Integer.parseInt(processes);
      Quiet.during(() -> held(many, names)).print(many);
      Quiet.during(() -> waiting(many, AS_SHIPPED)).print(many);
      Quiet.during(() -> handingOver(many, AS_SHIPPED)).print(many);
      Quiet.during(() -> restart(many, names)).print(many);
    }
  }

  /** The figures of a scene. */
  interface Scene {
    void print(int processes);
  }

  /**
   * Names that are held.
   *
   * @param commands per second
   */
  record HeldNames(int names, double commands) implements Scene {
    @Override
    public void print(int processes) {
      System.out.printf(
          Locale.ROOT, "point RENEWALS %d-a-process %d %.1f%n", names / processes, names, commands);
    }
  }

  /**
   * One name, held for long.
   *
   * @param waiting how many are in its line
   * @param commands per second
   */
  record Waiting(long waiting, double commands) implements Scene {
    @Override
    public void print(int processes) {
      point("WAITING", processes, commands);
    }
  }

  /**
   * One name, which changes hands.
   *
   * @param perSecond hand-overs per second
   * @param commands for each hand-over
   */
  record HandingOver(double perSecond, double commands) implements Scene {
    @Override
    public void print(int processes) {
      System.out.printf(
          Locale.ROOT, "  %d processes: %.1f hand-overs per second%n", processes, perSecond);
      point("HAND_OVER", processes, commands);
    }
  }

  /**
   * A restart.
   *
   * @param peak commands per second in the busiest tenth of a second
   * @param renewed after which time all leases were renewed
   * @param lost how many leases were lost
   * @param handOver after which time the contended name was passed on
   */
  record Restarted(long peak, Duration renewed, long lost, Duration handOver) implements Scene {
    @Override
    public void print(int processes) {
      System.out.printf(
          "  %d processes, after a restart: passed on after %d ms, all renewed after %d ms, %d lost%n",
          processes, handOver.toMillis(), renewed.toMillis(), lost);
      point("RESTART", processes, peak);
    }
  }

  private static void point(String picture, int across, double up) {
    System.out.printf(Locale.ROOT, "point %s simulated %d %.1f%n", picture, across, up);
  }

  static HeldNames held(int processes, int names) {
    Fleet fleet = new Fleet(processes, AS_SHIPPED);
    fleet.hold(names);
    fleet.runUntilHeld(processes * names);
    fleet.run(WARM);
    long before = fleet.commands();
    fleet.run(MEASURED);
    return new HeldNames(processes * names, perSecond(fleet.commands() - before));
  }

  static Waiting waiting(int processes, UnaryOperator<String> change) {
    Fleet fleet = new Fleet(processes, change);
    fleet.contend(FOR_LONG);
    fleet.run(WARM);
    long before = fleet.commands();
    fleet.run(MEASURED);
    return new Waiting(fleet.waiting(), perSecond(fleet.commands() - before));
  }

  static HandingOver handingOver(int processes, UnaryOperator<String> change) {
    Fleet fleet = new Fleet(processes, change);
    fleet.contend(SECTION);
    fleet.run(WARM);
    long before = fleet.commands();
    long handOvers = fleet.handOvers();
    fleet.run(MEASURED);
    long passed = fleet.handOvers() - handOvers;
    return new HandingOver(
        perSecond(passed), (double) (fleet.commands() - before) / Math.max(1, passed));
  }

  static Restarted restart(int processes, int names) {
    Fleet fleet = new Fleet(processes, AS_SHIPPED);
    fleet.hold(names);
    fleet.contend(SECTION);
    fleet.runUntilHeld(processes * names);
    fleet.run(WARM);
    fleet.restart(DOWN);
    long since = fleet.nanos();
    long handOvers = fleet.handOvers();
    Duration handOver = Duration.ZERO;
    while (fleet.handOvers() == handOvers && handOver.compareTo(MEASURED) < 0) {
      fleet.run(Duration.ofMillis(10));
      handOver = Duration.ofNanos(fleet.nanos() - since);
    }
    Duration renewed = fleet.runUntilRenewed();
    return new Restarted(fleet.peakSince(since), renewed, fleet.lost(), handOver);
  }

  private static double perSecond(long count) {
    return (double) count / MEASURED.toSeconds();
  }
}
