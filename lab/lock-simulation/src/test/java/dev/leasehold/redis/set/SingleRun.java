package dev.leasehold.redis.set;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redisson.FairScripts;
import dev.leasehold.redlock.MinimumCheck;
import dev.leasehold.testkit.history.FaultModel;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.sim.RandomFaults;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.Workload;
import dev.leasehold.testkit.sim.WorkloadWorld;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Clients of one server with faults, for some seconds of simulated time, all from a seed: the
 * production engine and redis-set's store with their scripts, or the scripts of other backends. The
 * server keeps its data.
 */
final class SingleRun extends WorkloadWorld {
  private static final Duration USUAL_WAY = Duration.ofMillis(2);
  private static final Duration MOST_LINGER = Duration.ofMillis(300);

  private final ScriptServer server;
  private final Workload workload;
  private final Scheme scheme;
  private final Duration lease;
  private final Duration atLeast;
  private Verdict verdict;

  /** The clients' backend. */
  enum Scheme {
    /** {@code redis-set} as shipped. */
    REDIS_SET,
    /** The same, whose leases linger. */
    LINGERING,
    /** The same as the first, on a server that compares and deletes by itself. */
    NATIVE,
    /** By commands alone, as where scripts are refused. */
    COMMANDS,
    /** Some clients by commands alone, and some as shipped. */
    MIXED,
    /** The same as the first, in the order of arrival. */
    IN_ORDER,
    /** The scripts of {@code redis-setnx}. */
    SETNX,
    /** The scripts of {@code redisson} in fair mode. */
    FAIR
  }

  SingleRun(long seed, Scheme scheme, UnaryOperator<String> change) {
    super(seed);
    this.scheme = scheme;
    this.server = new ScriptServer(world.node("server", clock()), change);
    if (scheme == Scheme.NATIVE) {
      server.comparesAndDeletes();
    }
    if (scheme == Scheme.IN_ORDER) {
      FairCheck.of(server, this::fail);
    }
    this.lease = Duration.ofMillis(random.nextInt(50, 1200));
    LockOptions options = MinimumCheck.some(options(lease), seed, lease.multipliedBy(2)).build();
    this.atLeast = options.atLeast();
    this.workload = workload(options, lease);
  }

  Verdict run() {
    play();
    return verdict;
  }

  @Override
  protected void judge() {
    verdict = HistoryChecker.check(history(), FaultModel.inside().withStrayRequests());
    if (!verdict.isClean()) {
      throw world.failure(verdict.toString());
    }
    List<String> tooSoon = MinimumCheck.broken(history(), atLeast);
    if (!tooSoon.isEmpty()) {
      throw world.failure(String.join("\n", tooSoon));
    }
  }

  @Override
  protected Workload workload() {
    return workload;
  }

  @Override
  protected LeaseStore store(SimNode node) {
    RandomFaults network = network(USUAL_WAY);
    return switch (scheme) {
      case REDIS_SET, LINGERING, NATIVE -> server.store(node, network);
      case COMMANDS -> server.commandStore(node, network);
      case MIXED ->
          random.nextBoolean() ? server.commandStore(node, network) : server.store(node, network);
      case IN_ORDER -> server.fairStore(node, network);
      case SETNX -> new SetnxScripts(new RawConnection(node, server, network), node.name());
      case FAIR -> new FairScripts(new RawConnection(node, server, network));
    };
  }

  @Override
  protected LockManager.Builder settings(LockManager.Builder builder) {
    return scheme == Scheme.LINGERING ? builder.linger(any(MOST_LINGER)) : builder;
  }

  @Override
  protected Duration troubleLasts() {
    return lease.multipliedBy(3);
  }

  @Override
  protected void trouble(Duration span) {
    server.pauseOrCrash(span, random);
  }

  @Override
  protected String left() {
    return LOCKS.stream().filter(server::holds).collect(Collectors.joining(" "));
  }
}
