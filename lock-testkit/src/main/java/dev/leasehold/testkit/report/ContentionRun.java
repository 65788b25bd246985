package dev.leasehold.testkit.report;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.history.FaultModel;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.proxy.CommandProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.StoreServer;
import dev.leasehold.testkit.worker.Lane;
import dev.leasehold.testkit.worker.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;

/**
 * Several processes contend for one lock: measures how many critical sections they complete and how
 * many commands each took, and checks that none overlapped. Runs twice: directly against the server
 * for the speed, then, on Redis, through a counting proxy.
 */
final class ContentionRun {
  private static final int PROCESSES = 4;
  private static final int THREADS = 4;
  private static final Duration SPEED = Duration.ofSeconds(3);
  private static final Duration COUNTED = Duration.ofSeconds(2);
  private static final String NAME = "report-contention";

  private final BackendUnderTest backend;
  private final StoreServer server;

  ContentionRun(BackendUnderTest backend, StoreServer server) {
    this.backend = backend;
    this.server = server;
  }

  Contention run() {
    Verdict fast = judged(server.uri(), SPEED);
    double perSecond = fast.holds() / (double) SPEED.toSeconds();
    if (!(server instanceof RedisServer redis)) {
      return new Contention(
          PROCESSES, THREADS, fast.holds(), perSecond, OptionalDouble.empty(), fast.bugs().size());
    }
    Verdict counted;
    long commands;
    try (CommandProxy proxy = CommandProxy.inFrontOf(redis)) {
      counted = judged(proxy.uri(), COUNTED);
      commands = proxy.counts().withoutHousekeeping().total();
    }
    return new Contention(
        PROCESSES,
        THREADS,
        fast.holds() + counted.holds(),
        perSecond,
        counted.holds() == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of(commands / (double) counted.holds()),
        fast.bugs().size() + counted.bugs().size());
  }

  private Verdict judged(String address, Duration duration) {
    History all = History.of(List.of());
    try (WorkerPool pool = new WorkerPool()) {
      List<CompletableFuture<History>> runs = new ArrayList<>();
      List<Lane> lanes = new ArrayList<>();
      for (int i = 0; i < PROCESSES; i++) {
        lanes.add(pool.lease(backend.recipe(), address).lane("contention"));
      }
      for (Lane lane : lanes) {
        runs.add(lane.contending(NAME, LockOptions.defaults(), THREADS, duration));
      }
      for (CompletableFuture<History> run : runs) {
        all = all.and(Await.value(run));
      }
    }
    return HistoryChecker.check(all, FaultModel.inside());
  }
}
