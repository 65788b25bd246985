package dev.leasehold.benchmarks;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is measured of the kinds beside the plain lock. */
record Kinds(KindClients clients, Effort effort, Figures figures) {
  private static final int CROWD = 64;
  private static final int ACQUISITIONS = 20;
  private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");

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
    List<Double> rate = Group.rates(all, CROWD, false, effort, figures);
    String condition = CROWD + " readers of one name, pairs per second";
    figures.ratio("kinds readers:jdk", rate.get(1) / rate.get(0), ">=0.30", condition);
    figures.ratio("kinds readers:redisson", rate.get(1) / rate.get(2), ">=10", condition);
  }

  /** One stays, so that the run lasts; the others come and go on its lease. */
  private void readersOfOneRun() throws Exception {
    LockOptions options =
        LockOptions.builder().handOver(new HandOver(1000, Duration.ofMinutes(1))).build();
    DistributedLock read = clients.locks().readWriteLock("run", options).read();
    Subject others = KindSubjects.READ.subject("one run", key -> () -> read.acquire().release());
    Lease stays = read.acquire();
    long before = scripts();
    Group.rates(List.of(others), CROWD - 1, false, effort.once(), figures);
    long ran = scripts() - before;
    stays.release();
    String condition = "scripts that the server ran for them while one run lasted";
    figures.ratio("kinds readers:scripts", ran, "<=0", condition);
  }

  private void permits() throws Exception {
    KindSubjects permit = KindSubjects.PERMIT;
    List<Subject> all = List.of(permit.ours(clients), permit.redisson(clients));
    List<Double> rate = Group.rates(all, CROWD, false, effort, figures);
    String condition = CROWD + " threads, " + KindSubjects.PERMITS + " permits, pairs per second";
    figures.ratio("kinds permits:redisson", rate.get(0) / rate.get(1), ">=5", condition);
  }

  private void severalAtOnce() throws Exception {
    List<String> names = KindSubjects.names("at-once");
    DistributedLock all = clients.locks().all(names.toArray(String[]::new));
    long ran = 0;
    for (int i = 0; i < ACQUISITIONS; i++) {
      long before = scripts();
      Lease lease = all.acquire();
      ran += scripts() - before;
      lease.release();
    }
    String condition = "scripts that the server ran to take " + names.size() + " names";
    figures.ratio("kinds all:scripts", (double) ran / ACQUISITIONS, "<=1", condition);
  }

  /** How many scripts the server has run so far, for whomever. */
  private long scripts() {
    Matcher found = SCRIPTS.matcher(clients.raw().sync().info("commandstats"));
    long all = 0;
    while (found.find()) {
      all += Long.parseLong(found.group(1));
    }
    return all;
  }
}
