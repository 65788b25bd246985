package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.proxy.CommandCounts;
import dev.leasehold.testkit.proxy.CommandProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

final class AllAtOnceRules {
  private static final Duration LONG = TimeScale.seconds(30);
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

  private static LockOptions automatic(Duration lease) {
    return LockOptions.builder().automaticLease(lease).build();
  }

  private static DistributedLock all(Bench bench, LockOptions options, String... names) {
    LockManager manager = bench.site().open();
    return bench.site().backend().all(manager, List.of(names), options);
  }

  private static DistributedLock rival(Bench bench, String name) {
    return bench.automatic(bench.site().open(), name, LONG);
  }

  private static void checkFree(DistributedLock lock, String when) {
    Optional<Lease> lease = lock.tryAcquire();
    Check.that(lease.isPresent(), "the lock is free " + when);
    lease.get().release();
  }

  // ---- MU-1 ----

  @Rule(value = "MU-1", shows = "one of them is held")
  void oneIsHeld(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    DistributedLock both = all(bench, automatic(LONG), x, y);
    DistributedLock onX = rival(bench, x);
    DistributedLock onY = rival(bench, y);
    Lease held = onY.acquire();
    Check.that(both.tryAcquire().isEmpty(), "a request that does not wait is refused");
    checkFree(onX, "after a refusal");
    Check.that(both.tryAcquire(SHORT_WAIT).isEmpty(), "a request with a short wait is refused");
    checkFree(onX, "after a wait that was in vain");
    held.release();
    Lease lease = both.tryAcquire(SOON).orElseThrow();
    Check.that(onX.tryAcquire().isEmpty() && onY.tryAcquire().isEmpty(), "both are held");
    lease.release();
    checkFree(onX, "after the release");
    checkFree(onY, "after the release");
  }

  @Rule(value = "MU-1", shows = "a waiter is interrupted")
  void interrupted(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    DistributedLock both = all(bench, automatic(LONG), x, y);
    Lease held = rival(bench, y).acquire();
    CompletableFuture<Lease> outcome = new CompletableFuture<>();
    Thread waiter = bench.thread(both::acquire, outcome);
    waiter.start();
    Await.pass(BEGUN);
    waiter.interrupt();
    Await.until("the waiter has ended", outcome::isDone);
    Check.fails(InterruptedException.class, "the interrupted one", () -> unwrapped(outcome));
    checkFree(rival(bench, x), "after the interrupt");
    held.release();
    Lease lease = rival(bench, y).tryAcquire(SOON).orElseThrow();
    lease.release();
  }

  private static void unwrapped(CompletableFuture<?> outcome) throws Exception {
    try {
      outcome.get();
    } catch (java.util.concurrent.ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  // ---- MU-2 ----

  @Rule(value = "MU-2", shows = "nothing is held while one is waited for")
  void holdsNothing(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    DistributedLock both = all(bench, automatic(LONG), x, y);
    Lease held = rival(bench, y).acquire();
    CompletableFuture<Lease> asked = bench.onThread(both::acquire);
    Await.pass(BEGUN);
    Check.that(!asked.isDone(), "it waits");
    DistributedLock onX = rival(bench, x);
    Lease other =
        onX.tryAcquire(SOON)
            .orElseThrow(() -> new AssertionError("the other lock is kept from all meanwhile"));
    other.release();
    held.release();
    Await.value(asked).release();
  }

  @Rule(value = "MU-2", shows = "in opposite orders")
  void oppositeOrders(Bench bench) {
    String x = bench.name();
    String y = bench.name();
    AtomicInteger inside = new AtomicInteger();
    List<CompletableFuture<Integer>> ends = new ArrayList<>();
    for (List<String> order : List.of(List.of(x, y), List.of(y, x), List.of(x, y))) {
      DistributedLock both = all(bench, automatic(LONG), order.toArray(String[]::new));
      ends.add(
          bench.onThread(
              () -> {
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
              }));
    }
    ends.forEach(Await::value);
  }

  // Catches a caller of several locks that consumes the wake-up of one it cannot use yet.
  @Rule(value = "MU-2", shows = "behind a waiter for more", also = Guarantee.WAKE_UP)
  void wokenBehindIt(Bench bench) throws Exception {
    for (int i = 0; i < 2; i++) { // the waiters may arrive in another order if the machine stalls
      isWokenBehindIt(bench);
    }
  }

  private static void isWokenBehindIt(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    LockOptions patient =
        automatic(LONG).toBuilder().waitStrategy(WaitStrategy.every(NEVER)).build();
    DistributedLock both = all(bench, patient, x, y);
    Lease heldX = rival(bench, x).acquire();
    Lease heldY = rival(bench, y).acquire();
    CompletableFuture<Lease> asked = bench.onThread(both::acquire);
    Await.pass(BEGUN);
    DistributedLock onX = bench.site().open().lock(x, patient);
    CompletableFuture<Optional<Lease>> behind = bench.onThread(() -> onX.tryAcquire(WOKEN));
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
  void ended(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    Lease lease = all(bench, LockOptions.fixed(BRIEF), x, y).acquire();
    Check.atMost(BRIEF, lease.remaining(), "what remains");
    AtomicInteger told = new AtomicInteger();
    lease.lost().thenAccept(loss -> told.incrementAndGet());
    Await.until("its loss is signalled", SOON, () -> told.get() > 0);
    Await.pass(SHORT_WAIT); // all parts expire: a duplicate signal has been sent by then
    Check.equal(1, told.get(), "how often its loss was signalled");
    Check.that(!lease.isValid(), "it is not valid any more");
    Check.equal(Duration.ZERO, lease.remaining(), "what remains");
    Check.fails(LeaseLostException.class, "ensureValid", lease::ensureValid);
    Check.fails(LeaseLostException.class, "the release of a lost lease", lease::release);
    lease.release();
    for (String name : List.of(x, y)) {
      rival(bench, name).tryAcquire(SOON).orElseThrow().release();
    }
    Check.equal(1, told.get(), "how often its loss was signalled");
  }

  @Rule(value = "MU-3", shows = "one of them is lost", needs = Need.VIEW)
  void takenAway(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    Lease lease = all(bench, automatic(BRIEF), x, y).acquire();
    bench.site().view().remove(y);
    AtomicInteger told = new AtomicInteger();
    lease.lost().thenAccept(loss -> told.incrementAndGet());
    Await.until("its loss is signalled", SOON, () -> told.get() > 0);
    Check.that(!lease.isValid(), "it is not valid any more");
    Check.equal(Duration.ZERO, lease.remaining(), "what remains");
    Check.fails(LeaseLostException.class, "ensureValid", lease::ensureValid);
    // The other part is not released: it expires, since it is no longer renewed.
    rival(bench, x).tryAcquire(SOON).orElseThrow().release();
    Check.that(!lease.isValid(), "it stays lost");
    Check.fails(LeaseLostException.class, "the release of a lost lease", lease::release);
    Check.equal(1, told.get(), "how often its loss was signalled");
  }

  // ---- MU-4 ----

  @Rule(value = "MU-4", shows = "commands to the server", needs = Need.REDIS)
  void oneStep(Bench bench) throws Exception {
    CommandProxy proxy = bench.proxy(bench.site());
    LockManager manager = bench.site().by(proxy.uri()).open();
    commands(bench, manager, proxy, 2); // loads the scripts
    EachWay two = EachWay.MANY;
    EachWay eight = EachWay.MANY;
    for (int i = 0; i < 3; i++) { // other commands may be sent meanwhile
      two = two.orLess(commands(bench, manager, proxy, 2));
      eight = eight.orLess(commands(bench, manager, proxy, 8));
    }
    Check.equal(two, eight, "how many commands eight names take, as against two");
    Check.equal(new EachWay(1, 1), eight, "how many commands eight names take");
  }

  @Rule(value = "MU-4", shows = "calls to the store", needs = Need.STORE)
  void oneCall(Bench bench) throws Exception {
    Faults faults = new Faults();
    LockManager manager = bench.site().open(faults);
    EachWay calls = EachWay.MANY;
    for (int i = 0; i < 3; i++) { // the first call of a new JVM may time out
      List<String> several = Stream.generate(bench::name).limit(8).toList();
      long acquired = faults.count(Op.ACQUIRE);
      long released = faults.count(Op.RELEASE);
      bench.site().backend().all(manager, several, automatic(LONG)).acquire().release();
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

  private static EachWay commands(Bench bench, LockManager manager, CommandProxy proxy, int names)
      throws Exception {
    List<String> several = Stream.generate(bench::name).limit(names).toList();
    DistributedLock all = bench.site().backend().all(manager, several, automatic(LONG));
    Supplier<CommandCounts> count = proxy.counting();
    Lease lease = all.acquire();
    long taken = count.get().withoutHousekeeping().total();
    lease.release();
    return new EachWay(taken, count.get().withoutHousekeeping().total() - taken);
  }

  // ---- MU-5 ----

  @Rule(value = "MU-5", shows = "after one of them was held many times", also = Guarantee.TOGETHER)
  void tokenOfAll(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    DistributedLock both = all(bench, automatic(LONG), x, y);
    long last = tokenOf(both);
    for (int i = 0; i < ROUNDS; i++) {
      long ofY = tokenOf(rival(bench, y));
      Check.that(ofY > last, "the token of one by itself is larger than that of all before");
      last = ofY;
    }
    long ofAll = tokenOf(both);
    Check.that(ofAll > last, "the token of all is larger than that of one before: " + ofAll);
    Check.that(tokenOf(rival(bench, x)) > ofAll, "that of each afterwards is larger");
    Check.that(tokenOf(rival(bench, y)) > ofAll, "that of each afterwards is larger");
  }

  @Rule(value = "MU-5", shows = "after a wait for one of them", also = Guarantee.TOGETHER)
  void tokenOfWhoWaited(Bench bench) throws Exception {
    String x = bench.name();
    String y = bench.name();
    DistributedLock both = all(bench, automatic(LONG), x, y);
    long before = tokenOf(rival(bench, x));
    Lease held = rival(bench, y).acquire();
    CompletableFuture<Lease> asked = both.acquireAsync().toCompletableFuture();
    Await.pass(BEGUN);
    Check.that(!asked.isDone(), "it waits");
    long ofHeld = held.fencingToken();
    held.release();
    Lease lease = Await.value(asked);
    long token = lease.fencingToken();
    Check.that(token > before && token > ofHeld, "the token after a wait is larger: " + token);
    lease.release();
    Check.that(tokenOf(rival(bench, x)) > token, "that of each afterwards is larger");
    Check.that(tokenOf(rival(bench, y)) > token, "that of each afterwards is larger");
  }

  @Rule(value = "MU-5", shows = "one name alone", also = Guarantee.TOGETHER)
  void tokenOfOneName(Bench bench) throws Exception {
    String x = bench.name();
    long before = tokenOf(rival(bench, x));
    long token = tokenOf(all(bench, automatic(LONG), x));
    Check.that(token > before, "the token of one name is larger than the one before: " + token);
    Check.that(tokenOf(rival(bench, x)) > token, "that of the one afterwards is larger");
  }

  private static long tokenOf(DistributedLock lock) throws Exception {
    Lease lease = lock.tryAcquire(SOON).orElseThrow();
    long token = lease.fencingToken();
    lease.release();
    return token;
  }
}
