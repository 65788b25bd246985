package dev.leasehold.benchmarks;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The measurements of the kinds other than the plain lock. */
record KindFigures(KindClients clients, Effort effort, Figures figures) {
  private static final int CROWD = 64;
  private static final int ACQUISITIONS = 20;
  private static final int COMES_AGAIN = 5;

  void run() throws Exception {
    for (KindSubjects kind : KindSubjects.values()) {
      uncontended(kind);
    }
    readers();
    readersOfOneRun();
    permits();
    severalAtOnce();
  }

  private void uncontended(KindSubjects kind) throws Exception {
    List<Subject> all =
        List.of(RawKinds.of(kind, clients), kind.ours(clients), kind.redisson(clients));
    List<Double> ns = new Alternation(kind.paced(effort)).latencies(all);
    for (int i = 0; i < all.size(); i++) {
      figures.note("%s: %.1f us a pair", all.get(i).name(), ns.get(i) / 1e3);
    }
    String condition = "one thread, uncontended, median time of a pair";
    figures.ratio("kinds " + kind + ":raw", ns.get(1) / ns.get(0), "<=1.15", condition);
    figures.ratio("kinds " + kind + ":redisson", ns.get(1) / ns.get(2), "<=1.00", condition);
  }

  private void readers() throws Exception {
    KindSubjects read = KindSubjects.READ;
    List<Subject> all =
        List.of(KindSubjects.jdkReaders(), read.ours(clients), read.redisson(clients));
    List<Double> rate = MeasurementGroup.rates(all, CROWD, false, effort, figures);
    String condition = CROWD + " readers of one name, pairs per second";
    figures.ratio("kinds readers:jdk", rate.get(1) / rate.get(0), ">=0.30", condition);
    figures.ratio("kinds readers:redisson", rate.get(1) / rate.get(2), ">=10", condition);
  }

  /**
   * One reader stays while others join and leave its lease. Fewer joins than the lease's limit of a
   * thousand, each with a thousand re-entries of its owner.
   */
  private void readersOfOneRun() throws Exception {
    LockOptions options =
        LockOptions.builder().handOver(new HandOver(1000, Duration.ofMinutes(1))).build();
    DistributedLock read = clients.locks().readWriteLock("run", options).read();
    int times = COMES_AGAIN * effort.pairs();
    Lease stays = read.acquire();
    long token = stays.fencingToken();
    ExecutorService others = Executors.newFixedThreadPool(CROWD - 1);
    long before = scripts();
    long ofOtherRuns = 0;
    try {
      List<Callable<Long>> all = Collections.nCopies(CROWD - 1, () -> holds(read, times, token));
      for (Future<Long> one : others.invokeAll(all)) {
        ofOtherRuns += one.get();
      }
    } finally {
      others.shutdownNow();
    }
    long ran = scripts() - before;
    stays.release();
    figures.note("%d holds, %d of them of another run", (CROWD - 1) * times, ofOtherRuns);
    String condition = "scripts that the server ran for them while one run lasted";
    figures.ratio("kinds readers:scripts", ran, "<=0", condition);
  }

  /** The number of holds with a token other than this. */
  private static long holds(DistributedLock lock, int times, long token) throws Exception {
    long others = 0;
    for (int i = 0; i < times; i++) {
      Lease lease = lock.acquire();
      others += lease.fencingToken() == token ? 0 : 1;
      lease.release();
    }
    return others;
  }

  private void permits() throws Exception {
    KindSubjects permit = KindSubjects.PERMIT;
    List<Subject> all = List.of(permit.ours(clients), permit.redisson(clients));
    List<Double> rate = MeasurementGroup.rates(all, CROWD, false, effort, figures);
    String condition = CROWD + " threads, " + KindSubjects.PERMITS + " permits, pairs per second";
    figures.ratio("kinds permits:redisson", rate.get(0) / rate.get(1), ">=5", condition);
  }

  private void severalAtOnce() throws Exception {
    List<String> names = KindSubjects.names("at-once");
    DistributedLock all = clients.locks().all(names.toArray(String[]::new));
    long taking = 0;
    long back = 0;
    for (int i = 0; i < ACQUISITIONS; i++) {
      long before = scripts();
      Lease lease = all.acquire();
      long taken = scripts();
      lease.release();
      taking += taken - before;
      back += scripts() - taken;
    }
    String what = "scripts that the server ran to %s " + names.size() + " names";
    figures.ratio(
        "kinds all:scripts", (double) taking / ACQUISITIONS, "<=1", String.format(what, "take"));
    figures.ratio(
        "kinds all:back", (double) back / ACQUISITIONS, "<=1", String.format(what, "give back"));
  }

  /** The number of scripts that the server has run so far, for all clients. */
  private long scripts() {
    return ScriptCount.of(clients.raw());
  }
}
