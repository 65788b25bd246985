package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.proxy.CommandCounts;
import dev.leasehold.testkit.proxy.CommandProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

final class AllAtOnceRules extends Steps {
  private static final Duration BRIEF = TimeScale.millis(400);
  private static final Duration SHORT_WAIT = TimeScale.millis(150);

  /** Long enough for an acquisition to take all that is free. */
  private static final Duration BEGUN = TimeScale.millis(300);

  private static final Duration SOON = TimeScale.seconds(10);

  /** Long enough for a waiter that is woken, too short for one that polls. */
  private static final Duration WOKEN = TimeScale.seconds(5);

  private static final Duration NEVER = WOKEN.multipliedBy(3);

  private static final int ROUNDS = 8;

  /** Long enough for a second holder to enter, if exclusion is broken. */
  private static final Duration SECTION = Duration.ofMillis(2);

  private DistributedLock all(LockOptions options, String... names) {
    LockManager manager = open();
    return backend().all(manager, List.of(names), options);
  }

  private DistributedLock rival(String lockName) {
    return automatic(lockName, LONG);
  }

  // ---- MU-1 ----

  @Rule(value = "MU-1", shows = "one of them is held")
  void oneIsHeld() throws Exception {
    String x = freshName();
    String y = freshName();
    DistributedLock both = all(renewed(LONG), x, y);
    DistributedLock onX = rival(x);
    DistributedLock onY = rival(y);
    Lease held = onY.acquire();
    Check.that(both.tryAcquire().isEmpty(), "a request that does not wait is refused");
    taken(onX.tryAcquire(), "the lock is free after a refusal");
    Check.that(answered(() -> both.tryAcquire(SHORT_WAIT)).isEmpty(), "a short wait is in vain");
    taken(onX.tryAcquire(), "the lock is free after a wait that was in vain");
    held.release();
    Lease lease = both.tryAcquire(SOON).orElseThrow();
    Check.that(onX.tryAcquire().isEmpty() && onY.tryAcquire().isEmpty(), "both are held");
    lease.release();
    taken(onX.tryAcquire(), "the lock is free after the release");
    taken(onY.tryAcquire(), "the lock is free after the release");
  }

  @Rule(value = "MU-1", shows = "a waiter is interrupted")
  void interrupted() throws Exception {
    String x = freshName();
    String y = freshName();
    DistributedLock both = all(renewed(LONG), x, y);
    Lease held = rival(y).acquire();
    Runnable interrupt = interruptible(both::acquire);
    Await.pass(BEGUN);
    interrupt.run();
    taken(rival(x).tryAcquire(), "the lock is free after the interrupt");
    held.release();
    rival(y).tryAcquire(SOON).orElseThrow().release();
  }

  // ---- MU-2 ----

  @Rule(value = "MU-2", shows = "nothing is held while one is waited for")
  void holdsNothing() throws Exception {
    String x = freshName();
    String y = freshName();
    DistributedLock both = all(renewed(LONG), x, y);
    Lease held = rival(y).acquire();
    CompletableFuture<Lease> asked = onThread(both::acquire);
    Await.pass(BEGUN);
    Check.that(!asked.isDone(), "it waits");
    taken(rival(x).tryAcquire(SOON), "the other lock is not kept from all meanwhile");
    held.release();
    Await.value(asked).release();
  }

  @Rule(value = "MU-2", shows = "in opposite orders")
  void oppositeOrders() {
    String x = freshName();
    String y = freshName();
    AtomicInteger inside = new AtomicInteger();
    List<List<String>> orders = List.of(List.of(x, y), List.of(y, x), List.of(x, y));
    crowd(
        orders.size(),
        each -> {
          DistributedLock both = all(renewed(LONG), orders.get(each).toArray(String[]::new));
          return () -> {
            for (int i = 0; i < ROUNDS; i++) {
              Lease lease =
                  both.tryAcquire(SOON)
                      .orElseThrow(() -> new AssertionError("they block one another"));
              Check.equal(1, inside.incrementAndGet(), "holders at a time");
              Await.pass(SECTION);
              inside.decrementAndGet();
              lease.release();
            }
            return ROUNDS;
          };
        });
  }

  // Catches a caller of several locks that consumes the wake-up of one it cannot use yet.
  @Rule(value = "MU-2", shows = "behind a waiter for more", also = Guarantee.WAKE_UP)
  void wokenBehindIt() throws Exception {
    for (int i = 0; i < 2; i++) { // the waiters may arrive in another order if the machine stalls
      isWokenBehindIt();
    }
  }

  private void isWokenBehindIt() throws Exception {
    String x = freshName();
    String y = freshName();
    LockOptions patient = renewed(LONG).toBuilder().waitStrategy(WaitStrategy.every(NEVER)).build();
    DistributedLock both = all(patient, x, y);
    Lease heldX = rival(x).acquire();
    Lease heldY = rival(y).acquire();
    CompletableFuture<Lease> asked = onThread(both::acquire);
    Await.pass(BEGUN);
    DistributedLock onX = open().lock(x, patient);
    CompletableFuture<Optional<Lease>> behind = onThread(() -> onX.tryAcquire(WOKEN));
    Await.pass(BEGUN);
    heldX.release();
    Lease other =
        Await.value(behind)
            .orElseThrow(() -> new AssertionError("the waiter for the free one is not woken"));
    Check.that(!asked.isDone(), "the waiter for both has not acquired them");
    other.release();
    heldY.release();
    Await.value(asked).release();
  }

  // ---- MU-3 ----

  @Rule(value = "MU-3", shows = "leases that expire")
  void ended() throws Exception {
    String x = freshName();
    String y = freshName();
    Lease lease = all(LockOptions.fixed(BRIEF), x, y).acquire();
    Check.atMost(BRIEF, lease.remaining(), "what remains");
    AtomicInteger told = losses(lease);
    Await.until("its loss is signalled", SOON, () -> told.get() > 0);
    Await.pass(SHORT_WAIT); // all parts expire: a duplicate signal has been sent by then
    Check.equal(1, told.get(), "how often its loss was signalled");
    checkLost(lease);
    Check.fails(LeaseLostException.class, "the release of a lost lease", lease::release);
    lease.release();
    for (String each : List.of(x, y)) {
      rival(each).tryAcquire(SOON).orElseThrow().release();
    }
    Check.equal(1, told.get(), "how often its loss was signalled");
  }

  @Rule(value = "MU-3", shows = "one of them is lost", needs = Need.VIEW)
  void takenAway() throws Exception {
    String x = freshName();
    String y = freshName();
    Lease lease = all(renewed(BRIEF), x, y).acquire();
    view().remove(y);
    AtomicInteger told = losses(lease);
    Await.until("its loss is signalled", SOON, () -> told.get() > 0);
    checkLost(lease);
    // The other part is not released: it expires, since it is no longer renewed.
    rival(x).tryAcquire(SOON).orElseThrow().release();
    Check.that(!lease.isValid(), "it stays lost");
    Check.fails(LeaseLostException.class, "the release of a lost lease", lease::release);
    Check.equal(1, told.get(), "how often its loss was signalled");
  }

  // ---- MU-4 ----

  @Rule(value = "MU-4", shows = "commands to the server", needs = Need.REDIS)
  void oneStep() throws Exception {
    CommandProxy proxy = proxy();
    LockManager manager = site().by(proxy.uri()).open();
    commands(manager, proxy, 2); // loads the scripts
    EachWay two = EachWay.MANY;
    EachWay eight = EachWay.MANY;
    for (int i = 0; i < 3; i++) { // other commands may be sent meanwhile
      two = two.orLess(commands(manager, proxy, 2));
      eight = eight.orLess(commands(manager, proxy, 8));
    }
    Check.equal(two, eight, "how many commands eight names take, as against two");
    Check.equal(new EachWay(1, 1), eight, "how many commands eight names take");
  }

  @Rule(value = "MU-4", shows = "calls to the store", needs = Need.STORE)
  void oneCall() throws Exception {
    Faults faults = new Faults();
    LockManager manager = open(faults);
    EachWay calls = EachWay.MANY;
    for (int i = 0; i < 3; i++) { // the first call of a new JVM may time out
      List<String> several = Stream.generate(this::freshName).limit(8).toList();
      long acquired = faults.count(Op.ACQUIRE);
      long released = faults.count(Op.RELEASE);
      backend().all(manager, several, renewed(LONG)).acquire().release();
      calls =
          calls.orLess(
              new EachWay(
                  faults.count(Op.ACQUIRE) - acquired, faults.count(Op.RELEASE) - released));
    }
    Check.equal(new EachWay(1, 1), calls, "how many calls eight names take");
  }

  /** Commands sent to acquire all of them, and to release them. */
  private record EachWay(long taken, long released) {
    static final EachWay MANY = new EachWay(Long.MAX_VALUE, Long.MAX_VALUE);

    EachWay orLess(EachWay other) {
      return new EachWay(Math.min(taken, other.taken), Math.min(released, other.released));
    }
  }

  private EachWay commands(LockManager manager, CommandProxy proxy, int names) throws Exception {
    List<String> several = Stream.generate(this::freshName).limit(names).toList();
    DistributedLock all = backend().all(manager, several, renewed(LONG));
    Supplier<CommandCounts> count = proxy.counting();
    Lease lease = all.acquire();
    long taken = count.get().withoutHousekeeping().total();
    lease.release();
    return new EachWay(taken, count.get().withoutHousekeeping().total() - taken);
  }

  // ---- MU-5 ----

  @Rule(value = "MU-5", shows = "after one of them was held many times", also = Guarantee.TOGETHER)
  void tokenOfAll() throws Exception {
    String x = freshName();
    String y = freshName();
    DistributedLock both = all(renewed(LONG), x, y);
    long last = tokenOf(both);
    for (int i = 0; i < ROUNDS; i++) {
      long ofY = tokenOf(rival(y));
      Check.that(ofY > last, "the token of one by itself is larger than that of all before");
      last = ofY;
    }
    long ofAll = tokenOf(both);
    Check.that(ofAll > last, "the token of all is larger than that of one before: " + ofAll);
    Check.that(tokenOf(rival(x)) > ofAll, "that of each afterwards is larger");
    Check.that(tokenOf(rival(y)) > ofAll, "that of each afterwards is larger");
  }

  @Rule(value = "MU-5", shows = "after a wait for one of them", also = Guarantee.TOGETHER)
  void tokenOfWhoWaited() throws Exception {
    String x = freshName();
    String y = freshName();
    DistributedLock both = all(renewed(LONG), x, y);
    long before = tokenOf(rival(x));
    Lease held = rival(y).acquire();
    CompletableFuture<Lease> asked = asking(both);
    Await.pass(BEGUN);
    Check.that(!asked.isDone(), "it waits");
    long ofHeld = held.fencingToken();
    held.release();
    Lease lease = Await.value(asked);
    long token = lease.fencingToken();
    Check.that(token > before && token > ofHeld, "the token after a wait is larger: " + token);
    lease.release();
    Check.that(tokenOf(rival(x)) > token, "that of each afterwards is larger");
    Check.that(tokenOf(rival(y)) > token, "that of each afterwards is larger");
  }

  @Rule(value = "MU-5", shows = "one name alone", also = Guarantee.TOGETHER)
  void tokenOfOneName() throws Exception {
    String x = freshName();
    long before = tokenOf(rival(x));
    long token = tokenOf(all(renewed(LONG), x));
    Check.that(token > before, "the token of one name is larger than the one before: " + token);
    Check.that(tokenOf(rival(x)) > token, "that of the one afterwards is larger");
  }
}
