package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
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
final class UnlikePartsRules extends Steps {
  private static final Duration BRIEF = TimeScale.millis(400);
  private static final Duration A_WHILE = TimeScale.seconds(1);

  /** Before a long lease expires. */
  private static final Duration SOON = TimeScale.seconds(10);

  private static final int ROUNDS = 3;

  private DistributedLock all(DistributedLock... locks) {
    return backend().all(List.of(locks));
  }

  /** A lock with a manager of its own. */
  private DistributedLock mine(String lockName) {
    return automatic(lockName, LONG);
  }

  private void checkFree(String when, String... names) throws Exception {
    for (String each : names) {
      taken(mine(each).tryAcquire(SOON), "no lock is left behind " + when);
    }
  }

  // ---- MU-1 ----

  @Rule(value = "MU-1", shows = "the manager of one is closed")
  void managerIsClosed() throws Exception {
    LockManager other = open();
    DistributedLock both = all(mine(name), automatic(other, freshName(), LONG));
    other.close();
    Class<LockManagerClosedException> closed = LockManagerClosedException.class;
    Check.fails(closed, "a request that does not wait", both::tryAcquire);
    checkFree("after a request that did not wait", name);
    Check.fails(closed, "a request with a short wait", () -> both.tryAcquire(SOON));
    checkFree("after a request with a short wait", name);
    Check.fails(closed, "a waiting request", both::acquire);
    checkFree("after a waiting request", name);
    Check.fails(closed, "an asynchronous one", () -> Await.value(both.acquireAsync()));
    checkFree("by an asynchronous one", name);
  }

  @Rule(value = "MU-1", shows = "the store of one fails", needs = Need.STORE)
  void otherStoreFails() throws Exception {
    String x = freshName();
    String y = freshName();
    Faults of = new Faults();
    checkNoneLeft(all(mine(x), automatic(open(of), y, LONG)), of, y, x, y);
  }

  @Rule(value = "MU-1", shows = "the store of all fails", needs = Need.STORE)
  void storeFails() throws Exception {
    String x = freshName();
    String y = freshName();
    Faults of = new Faults();
    // Where all are taken in one step, the fault matches the first name.
    String failing = promises(Guarantee.TOGETHER) ? x : y;
    DistributedLock both = backend().all(open(of), List.of(x, y), renewed(LONG));
    checkNoneLeft(both, of, failing, x, y);
  }

  /** Checks that no lock is left held, not even one whose grant was lost on the way back. */
  private void checkNoneLeft(DistributedLock both, Faults of, String failing, String... names)
      throws Exception {
    StoreFault refused = StoreFault.fails(Kind.UNAVAILABLE, "the kit refuses");
    for (StoreFault fault : List.of(refused, StoreFault.answerBroken())) {
      of.every(Op.ACQUIRE, failing, fault);
      Check.fails(LockStoreException.class, "a request that does not wait", both::tryAcquire);
      checkFree("after a request that did not wait", names);
      Check.fails(
          LockStoreException.class, "a request with a short wait", () -> both.tryAcquire(A_WHILE));
      checkFree("after a request with a short wait", names);
    }
    of.clear();
    both.tryAcquire(SOON).orElseThrow().release();
  }

  @Rule(value = "MU-1", shows = "the server of one refuses", needs = Need.REDIS)
  void serverRefuses() throws Exception {
    CommandProxy proxy = proxy();
    LockManager other = site().by(proxy.uri()).open();
    DistributedLock both = all(mine(name), automatic(other, freshName(), LONG));
    both.tryAcquire(SOON).orElseThrow().release();
    String words = "WRONGTYPE Operation against a key holding the wrong kind of value";
    try (var refusing = proxy.every(CommandMatch.any(), CommandFault.refuse(words))) {
      Check.fails(LockStoreException.class, "a request that does not wait", both::tryAcquire);
      Check.that(refusing.hits() > 0, "a command was refused");
      checkFree("after a request that did not wait", name);
    }
    both.tryAcquire(SOON).orElseThrow().release();
  }

  // ---- MU-3 ----

  @Rule(value = "MU-3", shows = "leases of different lengths")
  void earliestDeadline() throws Exception {
    endsWithTheShorter(LONG, BRIEF);
    endsWithTheShorter(BRIEF, LONG);
  }

  private void endsWithTheShorter(Duration leaseOfX, Duration leaseOfY) throws Exception {
    LockManager manager = open();
    String x = freshName();
    String y = freshName();
    Lease lease = all(fixed(manager, x, leaseOfX), fixed(manager, y, leaseOfY)).acquire();
    Check.atMost(BRIEF, lease.remaining(), "what remains");
    AtomicInteger told = losses(lease);
    Await.until("its loss is signalled", SOON, () -> told.get() > 0);
    checkLost(lease);
    Check.fails(LeaseLostException.class, "the release of a lost lease", lease::release);
    checkFree("after the release", x, y);
    Check.equal(1, told.get(), "how often its loss was signalled");
  }

  // ---- MU-5 ----

  @Rule(value = "MU-5", shows = "locks of several managers")
  void tokenOfEach() throws Exception {
    String x = freshName();
    String y = freshName();
    checkTokens(all(mine(x), mine(y)), List.of(x, y));
  }

  @Rule(value = "MU-5", shows = "locks of a manager, one after another")
  void tokenOfEachInTurn() throws Exception {
    LockManager manager = open();
    String x = freshName();
    String y = freshName();
    checkTokens(all(automatic(manager, x, LONG), automatic(manager, y, LONG)), List.of(x, y));
    if (!promises(Guarantee.TOGETHER)) {
      checkTokens(backend().all(manager, List.of(x, y), renewed(LONG)), List.of(x, y));
    }
  }

  private void checkTokens(DistributedLock both, List<String> names) throws Exception {
    List<DistributedLock> alone = names.stream().map(this::mine).toList();
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
}
