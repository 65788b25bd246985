package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.ClockShim;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Locks that are granted in the order of arrival. */
final class ArrivalRules extends Steps {
  private static final Duration LATE = TimeScale.seconds(4);
  private static final Duration MOMENT = FairnessRules.MOMENT;

  /**
   * For locks on several servers. A release that reaches them at different times may wake a waiter
   * that then gets no majority and yields: it gives back the votes it got.
   */
  private static final Duration APART = Duration.ofMillis(5);

  /** Each would delay the waiters behind it by 500 ms. */
  private static final int LEAVING = 20;

  /** About one round in a hundred is out of order for that reason; three in a row are not. */
  private static final int YIELDING = 3;

  // ---- FA-2 ----

  @Rule(value = "FA-2", shows = "in the order of arrival", needs = Need.VIEW)
  void grantsFollowArrival() throws Exception {
    boolean mayYield = backend().nodes() > 1;
    untilOneCounts(
        mayYield ? YIELDING : MOST_ROUNDS,
        "each round was out of order, if slowly",
        () -> areGrantedInOrder(mayYield ? APART : MOMENT));
  }

  /**
   * False if a waiter may have missed its turn or yielded: a hand-over took longer than {@code
   * moment}.
   */
  private boolean areGrantedInOrder(Duration moment) throws Exception {
    nextName();
    Lease held = fixed(name, LONG).acquire();
    List<LockManager> managers = List.of(open(), open(), open());
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<Integer> arrivals = new ArrayList<>();
    List<CompletableFuture<Void>> turns = new ArrayList<>();
    AtomicLong passedOn = new AtomicLong();
    AtomicLong longest = new AtomicLong();
    for (int i = 0; i < 2 * managers.size(); i++) {
      // Each process has one of the first and one of the last waiters.
      int number = i;
      DistributedLock lock = fixed(managers.get(i % managers.size()), name, LONG);
      arrivals.add(number);
      turns.add(
          asking(lock)
              .thenCompose(
                  lease -> {
                    order.add(number);
                    long now = System.nanoTime();
                    longest.accumulateAndGet(now - passedOn.getAndSet(now), Math::max);
                    return lease.releaseAsync();
                  }));
      awaitInLine(name, number + 1);
    }
    passedOn.set(System.nanoTime());
    held.release();
    turns.forEach(Await::value);
    if (!arrivals.equals(order) && longest.get() > moment.toNanos()) {
      return false;
    }
    Check.equal(arrivals, List.copyOf(order), "the order of grants");
    return true;
  }

  // Catches a line that only binds contenders that were already refused once.
  @Rule(
      value = "FA-2",
      shows = "a later waiter does not overtake",
      needs = {Need.STORE, Need.VIEW})
  void nobodyPasses() throws Exception {
    untilOneCounts(() -> isNotPassed());
  }

  /**
   * False if the first waiter's question came too early, or if the machine stalled for so long that
   * the later one was allowed in.
   */
  private boolean isNotPassed() throws Exception {
    nextName();
    Lease held = fixed(name, LONG).acquire();
    Faults faults = new Faults();
    CompletableFuture<Lease> waiting = asking(fixed(open(faults), name, LONG));
    awaitInLine(name, 1);
    Gate gate = new Gate();
    faults.every(Op.ACQUIRE, StoreFault.callHeld(gate));
    long begun = System.nanoTime();
    held.release();
    Await.until("the first is on its way", () -> gate.isReached() || waiting.isDone());
    if (waiting.isDone()) { // it was already asking: the gate came too late
      Await.value(waiting).release();
      return false;
    }
    // The lock is free now, and the first waiter is about to ask for it.
    CompletableFuture<Lease> passing = asking(fixed(name, LONG));
    // Where the lock is reserved for the waiter that was woken, that waiter has left the line.
    int behind = promises(Guarantee.TURNS) ? 1 : 2;
    Await.until(
        "it stands behind the first, or has passed it",
        () -> passing.isDone() || view().hasWaiting(name, behind));
    faults.clear();
    gate.open();
    Await.until("one of them has it", () -> waiting.isDone() || passing.isDone());
    Duration took = since(begun);
    boolean isPassed = passing.isDone();
    Await.value(isPassed ? passing : waiting).release();
    Await.value(isPassed ? waiting : passing).release();
    Check.that(
        !isPassed || took.compareTo(MOMENT) > 0,
        "the one that came later waits although the lock is free");
    return !isPassed;
  }

  private static final int CLOCK_ROUNDS = 5;

  // Catches a line ordered by each server's own clock, or by what a client has seen of the clocks.
  @Rule(
      value = "FA-2",
      shows = "whatever one server's clock shows, even for a process that has never held",
      needs = {Need.SERVERS, Need.PAUSE, Need.CLOCK, Need.OPTIONS, Need.VIEW})
  void wrongClockMovesNobody() throws Exception {
    ClockShim clock = ClockShim.available().orElseThrow();
    Site site = bench.ownSite(clock);
    clock.jump(Duration.ofSeconds(5));
    List<RedisServer> servers = servers(site);
    RedisServer last = servers.get(servers.size() - 1);
    int passed = 0;
    for (int i = 0; i < CLOCK_ROUNDS; i++) {
      LockManager knowing = site.open();
      last.pause(); // the majority then includes the server with the wrong clock
      fixed(knowing, freshName(), LONG).acquire().release();
      last.resume();
      passed += isFirstServedFirst(site, knowing, site.open()) ? 0 : 1;
    }
    Check.that(
        passed <= 1,
        "the first waiter is first, not overtaken in " + passed + " of " + CLOCK_ROUNDS);
  }

  /** False if the second was served first: occasionally a waiter yields. */
  private boolean isFirstServedFirst(Site site, LockManager first, LockManager second)
      throws Exception {
    nextName();
    Lease held = fixed(site.open(), name, LONG).acquire();
    CompletableFuture<Lease> one = asking(fixed(first, name, LONG));
    Await.until("the first is in line", () -> site.view().hasWaiting(name, 1));
    CompletableFuture<Lease> two = asking(fixed(second, name, LONG));
    Await.until("the second is in line", () -> site.view().hasWaiting(name, 2));
    held.release();
    Await.until("one of them has it", () -> one.isDone() || two.isDone());
    boolean inOrder = !two.isDone();
    Await.value(inOrder ? one : two).release();
    Await.value(inOrder ? two : one).release();
    return inOrder;
  }

  // ---- FA-3 ----

  @Rule(
      value = "FA-3",
      needs = {Need.PROCESSES, Need.VIEW})
  void deadWaiterCostsLittle() throws Exception {
    Lease held = fixed(name, LONG).acquire();
    Worker worker = worker();
    Duration itsTime = TimeScale.seconds(3);
    var dying = worker.lane("waiter").trying(name, LockOptions.fixed(LONG), itsTime);
    awaitInLine(name, 1);
    CompletableFuture<Lease> second = asking(fixed(name, LONG));
    awaitInLine(name, 2);
    worker.kill();
    Check.that(!dying.isDone() || dying.isCompletedExceptionally(), "the dead one got nothing");
    held.release();
    long begun = System.nanoTime();
    Await.value(second).release();
    Check.atMost(itsTime.plus(LATE), since(begun), "the turn of the one behind a dead waiter");
  }

  @Rule(
      value = "FA-3",
      shows = "many waiters that left while the store was unreachable",
      needs = {Need.STORE, Need.VIEW},
      timed = true)
  void leftUntold() throws Exception {
    Lease held = fixed(name, LONG).acquire();
    Faults faults = new Faults();
    DistributedLock lock = fixed(open(faults), name, LONG);
    List<CompletableFuture<Lease>> leaving = new ArrayList<>();
    for (int i = 1; i <= LEAVING; i++) {
      leaving.add(asking(lock));
      awaitInLine(name, i);
      faults.next(Op.LEAVE, StoreFault.fails(Kind.UNREACHABLE, "the kit is in the way"));
    }
    leaving.forEach(each -> each.cancel(true));
    CompletableFuture<Lease> next = asking(fixed(name, LONG));
    Await.until("they leave again", () -> faults.count(Op.LEAVE) >= 2 * LEAVING);
    held.release();
    long begun = System.nanoTime();
    Await.value(next).release();
    Check.atMost(LATE, since(begun), "the turn of the one behind those that left");
  }

  @Rule(
      value = "FA-3",
      shows = "a waiter that left while one of several servers was unreachable",
      needs = {Need.SERVERS, Need.VIEW})
  void leftWhileOneWasAway() throws Exception {
    List<RedisServer> servers = servers(site());
    RespProxy away = closing(RespProxy.inFrontOf(servers.get(0)));
    List<String> way = new ArrayList<>(servers.stream().map(RedisServer::uri).toList());
    way.set(0, away.uri());
    List<ServerView> views =
        servers.stream()
            .map(server -> backend().view(server.uri()).orElseThrow())
            .map(this::closing)
            .toList();
    Lease held = fixed(name, LONG).acquire();
    LockManager manager = site().by(String.join(",", way)).open();
    CompletableFuture<Lease> leaving = asking(fixed(manager, name, LONG));
    views.forEach(view -> Await.until("it is in each line", () -> view.hasWaiting(name, 1)));
    ActiveFault refused = away.refuse();
    away.cutAll();
    Await.until("the server is away", () -> away.connections() == 0);
    leaving.cancel(true);
    Await.until("it has left the others", () -> views.get(1).hasWaiting(name, 0));
    Check.that(views.get(0).hasWaiting(name, 1), "the unreachable server still has it in line");
    refused.close();
    Await.until("it has left that one, too", () -> views.get(0).hasWaiting(name, 0));
    held.release();
  }
}
