package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

final class MinimumHoldRules extends MinimumHoldSteps {
  // ---- AT-1 ----

  @Rule(value = "AT-1", shows = "a holder that is killed", needs = Need.PROCESSES, timed = true)
  void killedHolder() throws Exception {
    DistributedLock rival = lock();
    Worker worker = worker();
    long before = System.nanoTime();
    worker.acquire(name, brief());
    long granted = System.nanoTime(); // starting a JVM takes a while
    worker.kill();
    freeInTime(rival, before, granted, "its holder killed");
  }

  @Rule(value = "AT-1", shows = "a lease that ends before", timed = true)
  void lostLease() throws Exception {
    DistributedLock rival = lock();
    long before = System.nanoTime();
    Lease lease = open().lock(name, brief()).acquire();
    Await.until("the lease ends at its own time", () -> !lease.isValid());
    Check.atMost(MINIMUM, since(before), "how long a fixed lease is valid");
    freeInTime(rival, before, "its lease over before");
  }

  @Rule(value = "AT-1", shows = "the time to live on the store", needs = Need.VIEW)
  void timeToLive() throws Exception {
    LockManager manager = open();
    for (LockOptions options : List.of(brief(), options(BRIEF), options(LONG))) {
      nextName();
      long before = System.nanoTime();
      Lease lease = manager.lock(name, options).acquire();
      checkKept(before, "after the grant, " + options);
      if (lease.isValid()) {
        lease.release();
      }
      checkKept(before, "after the release, " + options);
    }
  }

  private void checkKept(long granted, String when) {
    Optional<ServerView.Entry> entry = view().look(name);
    Duration rest = MINIMUM.minus(since(granted));
    if (!rest.isNegative()) {
      Check.that(entry.isPresent(), "the lock is there " + when);
      Check.atLeast(rest, entry.orElseThrow().left(), "its time to live " + when);
    }
  }

  // Catches a minimum counted from the request instead of the grant: the request may be slow.
  @Rule(
      value = "AT-1",
      shows = "a request that was long on its way",
      needs = {Need.STORE, Need.REDIS})
  void slowRequest() throws Exception {
    Moment first = new Moment(bench, 0);
    DistributedLock rival = lock();
    LockManager manager = first.site().open();
    manager.lock(freshName()).acquire().release(); // connects
    long passed;
    CompletableFuture<Lease> asked;
    try (ActiveFault held = first.fromNowOn(CommandFault.holdRequest())) {
      asked = asking(manager.lock(name, options(LONG)));
      Await.until("it is on its way", () -> held.hits() > 0);
      Await.pass(BRIEF);
      Check.that(!asked.isDone(), "it is on its way");
      passed = System.nanoTime();
    }
    Await.value(asked).release();
    freeInTime(rival, passed, "a request that was long on its way");
  }

  @Rule(value = "AT-1", shows = "a node that was slow to grant", needs = Need.NODES)
  void slowNode() throws Exception {
    MemoryNodes nodes = nodes(3);
    DistributedLock lock = open(nodes).lock(name, brief());
    DistributedLock rival = open(nodes).lock(name);
    nodes.get(2).die();
    nodes.get(1).hang();
    CompletableFuture<Lease> asked = onThread(lock::acquire);
    Await.until("it waits for the slow node", () -> nodes.get(1).contenders(name) > 0);
    Await.pass(Duration.ofMillis(60));
    long before = System.nanoTime();
    nodes.get(1).up();
    Await.value(asked);
    nodes.get(2).up();
    freeInTime(rival, before, "granted late by one node of a majority");
  }

  @Rule(
      value = "AT-1",
      shows = "a lease that a majority has lost",
      needs = Need.NODES,
      timed = true)
  void forgotten() throws Exception {
    MemoryNodes nodes = nodes(3);
    DistributedLock rival = open(nodes).lock(name);
    nodes.get(2).die();
    long before = System.nanoTime();
    Lease lease = open(nodes).lock(name, options(MINIMUM)).acquire();
    nodes.get(0).forget();
    nodes.get(2).up();
    Await.until("the loss is signalled", () -> !lease.isValid());
    nodes.get(0).put(name, "nobody's", LONG); // it has lost its data and does not vote for a while
    freeInTime(rival, before, "known no more by a majority");
  }

  // ---- AT-2 ----

  @Rule(value = "AT-2", shows = "a release shortens it", timed = true)
  void shortened() throws Exception {
    DistributedLock rival = lock();
    long before = System.nanoTime();
    open().lock(name, options(LONG)).acquire().release();
    freeInTime(rival, before, "released at once");
  }

  @Rule(value = "AT-2", shows = "the time to live on the store", needs = Need.VIEW)
  void shortenedOnTheStore() throws Exception {
    open().lock(name, options(LONG)).acquire().release();
    Duration left = view().look(name).orElseThrow().left();
    Check.atMost(longest(), left, "what is left after the release");
  }

  @Rule(value = "AT-2", shows = "after the minimum it is an ordinary release")
  void afterTheMinimum() throws Exception {
    DistributedLock rival = lock();
    Lease lease = open().lock(name, options(LONG)).acquire();
    Await.pass(MINIMUM.plus(MINIMUM.dividedBy(20)));
    lease.release();
    Check.that(rival.tryAcquire().isPresent(), "the lock is free at once");
  }

  @Rule(value = "AT-2", shows = "repeated, at the store", needs = Need.STORE, timed = true)
  void repeated() throws Exception {
    LeaseStore store = store();
    LeaseKey key = key(name);
    DistributedLock rival = lock();
    long before = System.nanoTime();
    hold(store, key, LONG);
    Duration rest = MINIMUM.plus(MINIMUM.dividedBy(20));
    Check.equal(ReleaseResult.KEPT, keep(store, key, rest), "the answer to the first");
    Await.pass(BRIEF);
    keepAgain(store, key, rest, ReleaseResult.KEPT, "while it is kept");
    keepAgain(store, key, LONG, ReleaseResult.KEPT, "while it is kept");
    freeInTime(rival, before, "kept twice");
    keepAgain(store, key, LONG, ReleaseResult.NOT_OWNER, "of a lock that is free again");
    Lease successor = lock().tryAcquire(SLACK).orElseThrow();
    keepAgain(store, key, LONG, ReleaseResult.NOT_OWNER, "while a successor holds it");
    Check.that(rival.tryAcquire().isEmpty(), "the successor holds the lock");
    successor.release();
    Check.that(rival.tryAcquire().isPresent(), "its release frees the lock");
  }

  private static ReleaseResult keep(LeaseStore store, LeaseKey key, Duration rest) {
    return Await.value(((MinimumHold) store).keep(key, rest));
  }

  private void keepAgain(
      LeaseStore store, LeaseKey key, Duration rest, ReleaseResult expected, String when) {
    ReleaseResult answer = keep(store, key, rest);
    // A format whose values do not identify the owner cannot distinguish its second request from
    // another's.
    if (promises(Guarantee.OWNED)) {
      Check.equal(expected, answer, "the answer to another, " + when);
    }
  }

  @Rule(
      value = "AT-2",
      shows = "another holder's, at the store",
      needs = {Need.STORE, Need.VIEW},
      also = Guarantee.OWNED)
  void stranger() throws Exception {
    Lease lease = fixed(name, LONG).acquire();
    String before = view().look(name).orElseThrow().value();
    Check.equal(
        ReleaseResult.NOT_OWNER, keep(store(), key(name), BRIEF), "the answer to a stranger's");
    Check.equal(before, view().look(name).orElseThrow().value(), "the holder's value");
    lease.release();
  }

  @Rule(
      value = "AT-2",
      shows = "after an answer that was lost, and again too late",
      needs = Need.STORE,
      timed = true,
      also = Guarantee.OWNED)
  void unheard() throws Exception {
    Gate gate = new Gate();
    Faults faults =
        new Faults()
            .next(Op.KEEP, StoreFault.answerLost())
            .next(Op.KEEP, StoreFault.callHeld(gate));
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    LockManager manager = open(faults, b -> b.commandTimeout(BRIEF).listener(events::add));
    DistributedLock rival = lock();
    long before = System.nanoTime();
    Lease lease = manager.lock(name, options(LONG)).acquire();
    LockStoreException told =
        Check.fails(LockStoreException.class, "a release whose answer is lost", lease::release);
    Check.equal(Kind.TIMED_OUT, told.kind(), "the kind of failure");
    lease.release();
    Await.until("the manager asks again", () -> faults.count(Op.KEEP) >= 2);
    freeInTime(rival, before, "its release unheard");
    Lease successor = rival.tryAcquire(SLACK).orElseThrow();
    gate.open();
    int asked = faults.count();
    Await.pass(BRIEF);
    Check.safe(
        lock().tryAcquire().isEmpty() || !successor.isValid(),
        "no late request takes the successor's lock (of " + asked + ")");
    Check.that(successor.isValid(), "the successor holds the lock after a late request");
    Check.equal(0, faults.count(Op.RELEASE), "ordinary releases before the minimum was over");
    checkNoLoss(events);
    successor.release();
  }

  @Rule(
      value = "AT-2",
      shows = "a grant whose answer was lost, the store away for longer than the lease",
      needs = Need.STORE,
      timed = true)
  void nobodyGotIt() throws Exception {
    Faults faults =
        new Faults()
            .next(Op.ACQUIRE, StoreFault.answerLost())
            .every(Op.RELEASE, StoreFault.fails(Kind.UNREACHABLE, "the kit is in the way"));
    LockManager manager = open(faults, b -> b.commandTimeout(BRIEF));
    LockOptions options =
        LockOptions.builder().automaticLease(BRIEF).atLeast(LONG.dividedBy(2)).build();
    DistributedLock job = manager.lock(name, options);
    Check.fails(LockStoreException.class, "one whose answer is lost", job::tryAcquire);
    Await.until("its release is tried", () -> faults.count(Op.RELEASE) > 0);
    Await.pass(BRIEF.multipliedBy(2));
    faults.clear();
    taken(lock().tryAcquire(SLACK), "the lock is free once the store is back");
  }
}
