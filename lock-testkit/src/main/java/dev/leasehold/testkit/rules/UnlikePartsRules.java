package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.CommandProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Composite locks whose parts differ: different managers, different leases, one that fails. */
final class UnlikePartsRules {
  private static final Duration LONG = TimeScale.seconds(30);
  private static final Duration BRIEF = TimeScale.millis(400);
  private static final Duration A_WHILE = TimeScale.seconds(1);

  /** Before a long lease expires. */
  private static final Duration SOON = TimeScale.seconds(10);

  private static final int ROUNDS = 3;

  private static DistributedLock all(Bench bench, DistributedLock... locks) {
    return bench.site().backend().all(List.of(locks));
  }

  /** A lock with a manager of its own. */
  private static DistributedLock lock(Bench bench, String name) {
    return bench.automatic(bench.site().open(), name, LONG);
  }

  private static void checkFree(Bench bench, String name, String when) throws Exception {
    lock(bench, name)
        .tryAcquire(SOON)
        .orElseThrow(() -> new AssertionError("a lock is left behind " + when))
        .release();
  }

  // ---- MU-1 ----

  @Rule(value = "MU-1", shows = "the manager of one is closed")
  void managerIsClosed(Bench bench) throws Exception {
    String x = bench.name();
    LockManager other = bench.site().open();
    DistributedLock both = all(bench, lock(bench, x), bench.automatic(other, bench.name(), LONG));
    other.close();
    Class<LockManagerClosedException> closed = LockManagerClosedException.class;
    Check.fails(closed, "a request that does not wait", both::tryAcquire);
    checkFree(bench, x, "after a request that did not wait");
    Check.fails(closed, "a request with a short wait", () -> both.tryAcquire(SOON));
    checkFree(bench, x, "after a request with a short wait");
    Check.fails(closed, "a waiting request", both::acquire);
    checkFree(bench, x, "after a waiting request");
    Check.fails(closed, "an asynchronous one", () -> Await.value(both.acquireAsync()));
    checkFree(bench, x, "by an asynchronous one");
  }

  @Rule(value = "MU-1", shows = "the store of one fails", needs = Need.STORE)
  void otherStoreFails(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    Faults of = new Faults();
    DistributedLock both =
        all(bench, lock(bench, x), bench.automatic(bench.site().open(of), y, LONG));
    checkNoneLeft(bench, both, of, y, List.of(x, y));
  }

  @Rule(value = "MU-1", shows = "the store of all fails", needs = Need.STORE)
  void storeFails(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    Faults of = new Faults();
    LockManager manager = bench.site().open(of);
    LockOptions options = LockOptions.builder().automaticLease(LONG).build();
    // Where all are taken in one step, the fault matches the first name.
    String failing = bench.guarantees().contains(Guarantee.TOGETHER) ? x : y;
    DistributedLock both = bench.site().backend().all(manager, List.of(x, y), options);
    checkNoneLeft(bench, both, of, failing, List.of(x, y));
  }

  /** Checks that no lock is left held, not even one whose grant was lost on the way back. */
  private static void checkNoneLeft(
      Bench bench, DistributedLock both, Faults of, String failing, List<String> names)
      throws Exception {
    StoreFault refused = StoreFault.fails(Kind.UNAVAILABLE, "the kit refuses");
    for (StoreFault fault : List.of(refused, StoreFault.answerBroken())) {
      of.every(Op.ACQUIRE, failing, fault);
      Check.fails(LockStoreException.class, "a request that does not wait", both::tryAcquire);
      for (String name : names) {
        checkFree(bench, name, "after a request that did not wait");
      }
      Check.fails(
          LockStoreException.class, "a request with a short wait", () -> both.tryAcquire(A_WHILE));
      for (String name : names) {
        checkFree(bench, name, "after a request with a short wait");
      }
    }
    of.clear();
    both.tryAcquire(SOON).orElseThrow().release();
  }

  @Rule(value = "MU-1", shows = "the server of one refuses", needs = Need.REDIS)
  void serverRefuses(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    CommandProxy proxy = bench.proxy(bench.site());
    DistributedLock onY = bench.automatic(bench.site().by(proxy.uri()).open(), y, LONG);
    DistributedLock both = all(bench, lock(bench, x), onY);
    both.tryAcquire(SOON).orElseThrow().release();
    String words = "WRONGTYPE Operation against a key holding the wrong kind of value";
    try (var refusing = proxy.every(CommandMatch.any(), CommandFault.refuse(words))) {
      Check.fails(LockStoreException.class, "a request that does not wait", both::tryAcquire);
      Check.that(refusing.hits() > 0, "a command was refused");
      checkFree(bench, x, "after a request that did not wait");
    }
    both.tryAcquire(SOON).orElseThrow().release();
  }

  // ---- MU-3 ----

  @Rule(value = "MU-3", shows = "leases of different lengths")
  void earliestDeadline(Bench bench) throws Exception {
    endsWithTheShorter(bench, List.of(LONG, BRIEF));
    endsWithTheShorter(bench, List.of(BRIEF, LONG));
  }

  private static void endsWithTheShorter(Bench bench, List<Duration> leases) throws Exception {
    LockManager manager = bench.site().open();
    String x = bench.name();
    String y = bench.name();
    Lease lease =
        all(bench, bench.fixed(manager, x, leases.get(0)), bench.fixed(manager, y, leases.get(1)))
            .acquire();
    Check.atMost(BRIEF, lease.remaining(), "what remains");
    AtomicInteger told = new AtomicInteger();
    lease.lost().thenAccept(loss -> told.incrementAndGet());
    Await.until("its loss is signalled", SOON, () -> told.get() > 0);
    Check.that(!lease.isValid(), "it is not valid any more");
    Check.equal(Duration.ZERO, lease.remaining(), "what remains");
    Check.fails(LeaseLostException.class, "ensureValid", lease::ensureValid);
    Check.fails(LeaseLostException.class, "the release of a lost lease", lease::release);
    checkFree(bench, x, "after the release");
    checkFree(bench, y, "after the release");
    Check.equal(1, told.get(), "how often its loss was signalled");
  }

  // ---- MU-5 ----

  @Rule(value = "MU-5", shows = "locks of several managers")
  void tokenOfEach(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    checkTokens(bench, all(bench, lock(bench, x), lock(bench, y)), List.of(x, y));
  }

  @Rule(value = "MU-5", shows = "locks of a manager, one after another")
  void tokenOfEachInTurn(Bench bench) throws Exception {
    LockManager manager = bench.site().open();
    String x = bench.name();
    String y = bench.name();
    DistributedLock both =
        all(bench, bench.automatic(manager, x, LONG), bench.automatic(manager, y, LONG));
    checkTokens(bench, both, List.of(x, y));
    if (!bench.guarantees().contains(Guarantee.TOGETHER)) {
      LockOptions options = LockOptions.builder().automaticLease(LONG).build();
      DistributedLock ofManager = bench.site().backend().all(manager, List.of(x, y), options);
      checkTokens(bench, ofManager, List.of(x, y));
    }
  }

  private static void checkTokens(Bench bench, DistributedLock both, List<String> names)
      throws Exception {
    List<DistributedLock> alone = names.stream().map(name -> lock(bench, name)).toList();
    for (int i = 0; i < ROUNDS; i++) {
      long beforeX = tokenOf(alone.get(0));
      long beforeY = tokenOf(alone.get(1));
      Lease lease = both.tryAcquire(SOON).orElseThrow();
      Check.fails(
          UnsupportedOperationException.class, "to ask for the token of all", lease::fencingToken);
      Check.equal(
          names, lease.parts().stream().map(Lease::lockName).toList(), "the names of the parts");
      long ofX = lease.parts().get(0).fencingToken();
      long ofY = lease.parts().get(1).fencingToken();
      Check.that(ofX > beforeX && ofY > beforeY, "the token of each part is larger than before");
      lease.release();
      Check.that(tokenOf(alone.get(0)) > ofX, "that of each afterwards is larger");
      Check.that(tokenOf(alone.get(1)) > ofY, "that of each afterwards is larger");
    }
  }

  private static long tokenOf(DistributedLock lock) throws Exception {
    Lease lease = lock.tryAcquire(SOON).orElseThrow();
    long token = lease.fencingToken();
    lease.release();
    return token;
  }
}
