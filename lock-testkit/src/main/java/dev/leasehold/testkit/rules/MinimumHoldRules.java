package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.MinimumHoldSteps.BRIEF;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.LONG;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.MINIMUM;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.SLACK;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.brief;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.freeInTime;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.longest;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.options;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
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

final class MinimumHoldRules {
  // ---- AT-1 ----

  @Rule(value = "AT-1", shows = "a holder that is killed", needs = Need.PROCESSES, timed = true)
  void killedHolder(Bench bench) {
    String name = bench.name();
    DistributedLock rival = bench.site().open().lock(name);
    Worker worker = bench.site().worker();
    long before = System.nanoTime();
    worker.acquire(name, brief());
    long granted = System.nanoTime(); // starting a JVM takes a while
    worker.kill();
    freeInTime(bench, rival, before, granted, "its holder killed");
  }

  @Rule(value = "AT-1", shows = "a lease that ends before", timed = true)
  void lostLease(Bench bench) throws Exception {
    String name = bench.name();
    DistributedLock rival = bench.site().open().lock(name);
    long before = System.nanoTime();
    Lease lease = bench.site().open().lock(name, brief()).acquire();
    Await.until("the lease ends at its own time", () -> !lease.isValid());
    Check.atMost(
        MINIMUM, Duration.ofNanos(System.nanoTime() - before), "how long a fixed lease is valid");
    freeInTime(bench, rival, before, "its lease over before");
  }

  @Rule(value = "AT-1", shows = "the time to live on the store", needs = Need.VIEW)
  void timeToLive(Bench bench) throws Exception {
    LockManager manager = bench.site().open();
    ServerView view = bench.site().view();
    for (LockOptions options : List.of(brief(), options(BRIEF), options(LONG))) {
      String name = bench.name();
      long before = System.nanoTime();
      Lease lease = manager.lock(name, options).acquire();
      checkKept(view, name, before, "after the grant, " + options);
      if (lease.isValid()) {
        lease.release();
      }
      checkKept(view, name, before, "after the release, " + options);
    }
  }

  private static void checkKept(ServerView view, String name, long granted, String when) {
    Optional<ServerView.Entry> entry = view.look(name);
    Duration rest = MINIMUM.minusNanos(System.nanoTime() - granted);
    if (!rest.isNegative()) {
      Check.that(entry.isPresent(), "the lock is there " + when);
      Duration left = entry.orElseThrow().left();
      Check.atLeast(rest, left, "its time to live " + when);
    }
  }

  // Catches a minimum counted from the request instead of the grant: the request may be slow.
  @Rule(
      value = "AT-1",
      shows = "a request that was long on its way",
      needs = {Need.STORE, Need.REDIS})
  void slowRequest(Bench bench) throws Exception {
    Steps steps = new Steps(bench);
    String name = bench.name();
    DistributedLock rival = bench.site().open().lock(name);
    LockManager manager = steps.site().open();
    manager.lock(bench.name()).acquire().release(); // connects
    long passed;
    CompletableFuture<Lease> asked;
    try (ActiveFault held = steps.after(0, CommandFault.holdRequest())) {
      asked = manager.lock(name, options(LONG)).acquireAsync().toCompletableFuture();
      Await.until("it is on its way", () -> held.hits() > 0);
      Await.pass(BRIEF);
      Check.that(!asked.isDone(), "it is on its way");
      passed = System.nanoTime();
    }
    Await.value(asked).release();
    freeInTime(bench, rival, passed, "a request that was long on its way");
  }

  @Rule(value = "AT-1", shows = "a node that was slow to grant", needs = Need.NODES)
  void slowNode(Bench bench) throws Exception {
    MemoryNodes nodes = QuorumTries.nodes(bench, 3);
    LockManager manager = QuorumTries.open(bench, nodes);
    String name = bench.name();
    LockOptions fixed = LockOptions.builder().fixedLease(BRIEF).atLeast(MINIMUM).build();
    DistributedLock rival = QuorumTries.open(bench, nodes).lock(name);
    nodes.get(2).die();
    nodes.get(1).hang();
    CompletableFuture<Lease> asked = bench.onThread(() -> manager.lock(name, fixed).acquire());
    Await.until("it waits for the slow node", () -> nodes.get(1).contenders(name) > 0);
    Await.pass(Duration.ofMillis(60));
    long before = System.nanoTime();
    nodes.get(1).up();
    Await.value(asked);
    nodes.get(2).up();
    freeInTime(bench, rival, before, "granted late by one node of a majority");
  }

  @Rule(
      value = "AT-1",
      shows = "a lease that a majority has lost",
      needs = Need.NODES,
      timed = true)
  void forgotten(Bench bench) throws Exception {
    MemoryNodes nodes = QuorumTries.nodes(bench, 3);
    String name = bench.name();
    DistributedLock rival = QuorumTries.open(bench, nodes).lock(name);
    nodes.get(2).die();
    long before = System.nanoTime();
    Lease lease = QuorumTries.open(bench, nodes).lock(name, options(MINIMUM)).acquire();
    nodes.get(0).forget();
    nodes.get(2).up();
    Await.until("the loss is signalled", () -> !lease.isValid());
    nodes.get(0).put(name, "nobody's", LONG); // it has lost its data and does not vote for a while
    freeInTime(bench, rival, before, "known no more by a majority");
  }

  // ---- AT-2 ----

  @Rule(value = "AT-2", shows = "a release shortens it", timed = true)
  void shortened(Bench bench) throws Exception {
    String name = bench.name();
    DistributedLock rival = bench.site().open().lock(name);
    long before = System.nanoTime();
    bench.site().open().lock(name, options(LONG)).acquire().release();
    freeInTime(bench, rival, before, "released at once");
  }

  @Rule(value = "AT-2", shows = "the time to live on the store", needs = Need.VIEW)
  void shortenedOnTheStore(Bench bench) throws Exception {
    String name = bench.name();
    bench.site().open().lock(name, options(LONG)).acquire().release();
    Duration left = bench.site().view().look(name).orElseThrow().left();
    Check.atMost(longest(bench), left, "what is left after the release");
  }

  @Rule(value = "AT-2", shows = "after the minimum it is an ordinary release")
  void afterTheMinimum(Bench bench) throws Exception {
    String name = bench.name();
    DistributedLock rival = bench.site().open().lock(name);
    Lease lease = bench.site().open().lock(name, options(LONG)).acquire();
    Await.pass(MINIMUM.plus(MINIMUM.dividedBy(20)));
    lease.release();
    Check.that(rival.tryAcquire().isPresent(), "the lock is free at once");
  }

  @Rule(value = "AT-2", shows = "repeated, at the store", needs = Need.STORE, timed = true)
  void repeated(Bench bench) throws Exception {
    String name = bench.name();
    LeaseStore store = bench.site().store();
    MinimumHold keeper = (MinimumHold) store;
    LeaseKey key = bench.key(name);
    DistributedLock rival = bench.site().open().lock(name);
    long before = System.nanoTime();
    AcquireResult granted = bench.site().ask(store, key, LONG);
    Check.that(granted instanceof AcquireResult.Granted, "a free lock is granted: " + granted);
    Duration rest = MINIMUM.plus(MINIMUM.dividedBy(20));
    Check.equal(ReleaseResult.KEPT, Await.value(keeper.keep(key, rest)), "the answer to the first");
    Await.pass(BRIEF);
    keepAgain(bench, keeper, key, rest, ReleaseResult.KEPT, "while it is kept");
    keepAgain(bench, keeper, key, LONG, ReleaseResult.KEPT, "while it is kept");
    freeInTime(bench, rival, before, "kept twice");
    keepAgain(bench, keeper, key, LONG, ReleaseResult.NOT_OWNER, "of a lock that is free again");
    LockManager manager = bench.site().open();
    Lease successor = manager.lock(name).tryAcquire(SLACK).orElseThrow();
    keepAgain(bench, keeper, key, LONG, ReleaseResult.NOT_OWNER, "while a successor holds it");
    Check.that(rival.tryAcquire().isEmpty(), "the successor holds the lock");
    successor.release();
    Check.that(rival.tryAcquire().isPresent(), "its release frees the lock");
  }

  private static void keepAgain(
      Bench bench,
      MinimumHold keeper,
      LeaseKey key,
      Duration rest,
      ReleaseResult expected,
      String when) {
    ReleaseResult answer = Await.value(keeper.keep(key, rest));
    // A format whose values do not identify the owner cannot distinguish its second request from
    // another's.
    if (bench.guarantees().contains(Guarantee.OWNED)) {
      Check.equal(expected, answer, "the answer to another, " + when);
    }
  }

  @Rule(
      value = "AT-2",
      shows = "another holder's, at the store",
      needs = {Need.STORE, Need.VIEW},
      also = Guarantee.OWNED)
  void stranger(Bench bench) throws Exception {
    String name = bench.name();
    MinimumHold keeper = (MinimumHold) bench.site().store();
    ServerView view = bench.site().view();
    Lease lease = bench.fixed(bench.site().open(), name, LONG).acquire();
    ServerView.Entry before = view.look(name).orElseThrow();
    Check.equal(
        ReleaseResult.NOT_OWNER,
        Await.value(keeper.keep(bench.key(name), BRIEF)),
        "the answer to a stranger's");
    Check.equal(before.value(), view.look(name).orElseThrow().value(), "the holder's value");
    lease.release();
  }

  @Rule(
      value = "AT-2",
      shows = "after an answer that was lost, and again too late",
      needs = Need.STORE,
      timed = true,
      also = Guarantee.OWNED)
  void unheard(Bench bench) throws Exception {
    String name = bench.name();
    Gate gate = new Gate();
    Faults faults =
        new Faults()
            .next(Op.KEEP, StoreFault.answerLost())
            .next(Op.KEEP, StoreFault.callHeld(gate));
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    LockManager manager =
        bench.site().open(faults, b -> b.commandTimeout(BRIEF).listener(events::add));
    DistributedLock rival = bench.site().open().lock(name);
    long before = System.nanoTime();
    Lease lease = manager.lock(name, options(LONG)).acquire();
    LockStoreException told =
        Check.fails(LockStoreException.class, "a release whose answer is lost", lease::release);
    Check.equal(Kind.TIMED_OUT, told.kind(), "the kind of failure");
    lease.release();
    Await.until("the manager asks again", () -> faults.count(Op.KEEP) >= 2);
    freeInTime(bench, rival, before, "its release unheard");
    Lease successor = rival.tryAcquire(SLACK).orElseThrow();
    gate.open();
    int asked = faults.count();
    Await.pass(BRIEF);
    Check.safe(
        bench.site().open().lock(name).tryAcquire().isEmpty() || !successor.isValid(),
        "no late request takes the successor's lock (of " + asked + ")");
    Check.that(successor.isValid(), "the successor holds the lock after a late request");
    Check.equal(0, faults.count(Op.RELEASE), "ordinary releases before the minimum was over");
    Check.that(
        events.stream().noneMatch(LockEvent.Lost.class::isInstance),
        "no loss is signalled: " + events);
    successor.release();
  }

  @Rule(
      value = "AT-2",
      shows = "a grant whose answer was lost, the store away for longer than the lease",
      needs = Need.STORE,
      timed = true)
  void nobodyGotIt(Bench bench) throws Exception {
    String name = bench.name();
    Faults faults =
        new Faults()
            .next(Op.ACQUIRE, StoreFault.answerLost())
            .every(Op.RELEASE, StoreFault.fails(Kind.UNREACHABLE, "the kit is in the way"));
    LockManager manager = bench.site().open(faults, b -> b.commandTimeout(BRIEF));
    LockOptions options =
        LockOptions.builder().automaticLease(BRIEF).atLeast(LONG.dividedBy(2)).build();
    DistributedLock job = manager.lock(name, options);
    Check.fails(LockStoreException.class, "one whose answer is lost", job::tryAcquire);
    Await.until("its release is tried", () -> faults.count(Op.RELEASE) > 0);
    Await.pass(BRIEF.multipliedBy(2));
    faults.clear();
    Optional<Lease> next = bench.site().open().lock(name).tryAcquire(SLACK);
    Check.that(next.isPresent(), "the lock is free once the store is back");
    next.ifPresent(Lease::release);
  }
}
