package dev.leasehold.testkit.sim;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.history.FaultModel;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.Verdict;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/** Some clients of one server, with faults, for some seconds of their time: all from a seed. */
final class RandomRun extends WorkloadWorld {
  /** No message is so late that it comes after a call's time-out. */
  private static final Duration IN_TIME = Duration.ofMillis(200);

  /** What may go wrong. */
  enum Faults {
    /** Slow, lost and failed messages, pauses and deaths of clients, drift. */
    PLAIN,
    /**
     * Also messages that are repeated or come after their time-out, pauses and crashes of the
     * server that keep its data: a token may come to the server when no caller wants it any more.
     */
    STRAY,
    /** Also what exclusion does not bear: data lost, clocks stepped. */
    OUTSIDE
  }

  private final Faults faults;
  private final SimServer server;
  private final Workload workload;
  private final Duration lease;
  private Verdict verdict;

  RandomRun(long seed, Faults faults, Set<Flaw> flaws) {
    super(seed);
    this.faults = faults;
    this.server = new SimServer(world.node("server", clock()), flaws);
    this.lease = Duration.ofMillis(random.nextInt(50, 1200));
    this.workload = workload(options(lease).build(), lease);
  }

  Verdict run() {
    play();
    return verdict;
  }

  @Override
  protected void judge() {
    verdict = HistoryChecker.check(history(), model());
    if (!verdict.isClean()) {
      throw world.failure(verdict.toString());
    }
  }

  @Override
  protected Workload workload() {
    return workload;
  }

  private FaultModel model() {
    // Nothing comes later than its time-out, but a release that failed is tried again for a while.
    return switch (faults) {
      case PLAIN -> FaultModel.inside().staysAtMost(lease.multipliedBy(4).plusSeconds(20));
      case STRAY -> FaultModel.inside().withStrayRequests();
      case OUTSIDE -> FaultModel.outside().withStrayRequests();
    };
  }

  @Override
  protected LeaseStore store(SimNode node) {
    boolean stray = faults != Faults.PLAIN;
    RandomFaults network =
        new RandomFaults(
            random,
            new RandomFaults.Rates(
                random.nextDouble() * 0.05,
                stray ? 0.05 : 0,
                random.nextDouble() * 0.05,
                random.nextDouble() * 0.1,
                Duration.ofMillis(2),
                stray ? Duration.ofMillis(1500) : IN_TIME));
    return server.connect(node, network(network));
  }

  @Override
  protected Duration troubleLasts() {
    return lease.multipliedBy(3);
  }

  @Override
  protected String left() {
    return LOCKS.stream()
        .filter(lock -> server.peek(lock).isPresent())
        .collect(Collectors.joining(" "));
  }

  @Override
  protected void trouble(Duration span) {
    if (faults == Faults.PLAIN || server.node().state() != SimNode.State.RUNNING) {
      return;
    }
    boolean outside = faults == Faults.OUTSIDE;
    switch (random.nextInt(outside ? 4 : 2)) {
      case 0 -> server.node().pause(span);
      case 1 -> {
        server.crash();
        SimServer.Data data =
            outside && random.nextBoolean() ? SimServer.Data.LOST : SimServer.Data.KEPT;
        world.after(span, () -> server.restart(data));
      }
      case 2 -> server.loseData();
      default -> server.node().stepWallClock(span);
    }
  }
}
