package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.SemaphoreSteps.LONG;
import static dev.leasehold.testkit.rules.SemaphoreSteps.SLACK;
import static dev.leasehold.testkit.rules.SemaphoreSteps.checkFree;
import static dev.leasehold.testkit.rules.SemaphoreSteps.take;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Semaphores with waiters. */
final class SemaphoreLineRules {
  /** Polls so rarely that a waiter granted soon must have been woken. */
  private static final WaitStrategy RARELY =
      new WaitStrategy(
          TimeScale.seconds(20),
          WaitStrategy.defaults().shortestPoll(),
          WaitStrategy.defaults().longestPoll());

  /** More entries than a script inspects. */
  private static final int DEAD = 120;

  private static DistributedSemaphore patient(LockManager manager, String name, int permits) {
    LockOptions options = LockOptions.builder().fixedLease(LONG).waitStrategy(RARELY).build();
    return manager.semaphore(name, permits, options);
  }

  // ---- SE-4 ----

  @Rule(
      value = "SE-4",
      shows = "a waiter with the old number fails at once",
      also = Guarantee.WAKE_UP)
  void toldOfAnotherNumber(Bench bench) {
    String name = bench.name();
    DistributedSemaphore two = SemaphoreSteps.of(bench.site().open(), name, 2);
    if (bench.guarantees().contains(Guarantee.QUORUM)) {
      return; // a quorum's semaphore cannot be resized
    }
    List<Lease> held = take(two, 2);
    Waiters waiters = new Waiters(bench, name, 2, 2);
    long changed = System.nanoTime();
    two.resize(1);
    for (CompletableFuture<Lease> waiter : waiters.leases) {
      Check.fails(LockConfigurationException.class, "a waiter", () -> Await.value(waiter));
    }
    Check.atMost(SLACK, Duration.ofNanos(System.nanoTime() - changed), "until the waiters fail");
    held.forEach(Lease::release);
  }

  // ---- SE-5 ----

  @Rule(value = "SE-5", shows = "all or nothing")
  void allOrNothing(Bench bench) {
    String name = bench.name();
    DistributedSemaphore one = SemaphoreSteps.of(bench.site().open(), name, 3);
    DistributedSemaphore other = SemaphoreSteps.of(bench.site().open(), name, 3);
    Lease held = take(one, 1).get(0);
    Check.that(other.tryAcquire(3).isEmpty(), "three of two are refused");
    checkFree(one, 2, "after a refusal");
    Lease two = other.tryAcquire(2).orElseThrow();
    Check.that(one.tryAcquire().isEmpty(), "all are held");
    two.release();
    checkFree(one, 2, "after one release of two");
    held.ensureValid();
  }

  @Rule(value = "SE-5", shows = "a waiter for several permits holds none")
  void holdsNone(Bench bench) {
    String name = bench.name();
    DistributedSemaphore one = SemaphoreSteps.of(bench.site().open(), name, 3);
    List<Lease> held = take(one, 2);
    DistributedSemaphore other = SemaphoreSteps.of(bench.site().open(), name, 3);
    CompletableFuture<Optional<Lease>> large =
        other.tryAcquireAsync(3, TimeScale.millis(300)).toCompletableFuture();
    Check.that(Await.value(large).isEmpty(), "its time was up");
    held.forEach(Lease::release);
    checkFree(one, 3, "after one that waited in vain");
  }

  // The other owner acquires its next permit before it releases the last one: without a line both
  // permits are never free at once.
  @Rule(value = "SE-5", shows = "many beside a client that always holds one")
  void notPassed(Bench bench) throws Exception {
    String name = bench.name();
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Lease> first = new CompletableFuture<>();
    DistributedSemaphore small = SemaphoreSteps.of(bench.site().open(), name, 2);
    CompletableFuture<Boolean> overlapping = bench.onThread(() -> overlap(small, first, done));
    Await.value(first);
    DistributedSemaphore large = SemaphoreSteps.of(bench.site().open(), name, 2);
    Optional<Lease> both = large.tryAcquire(2, TimeScale.seconds(8));
    done.set(true);
    both.ifPresent(Lease::release);
    Check.that(both.isPresent(), "a waiter for two gets them beside one that always holds one");
    Await.value(overlapping);
  }

  /** Always holds a permit, except when the next one is refused for a while. */
  private static boolean overlap(
      DistributedSemaphore semaphore, CompletableFuture<Lease> first, AtomicBoolean done)
      throws InterruptedException {
    Lease mine = semaphore.acquire();
    first.complete(mine);
    while (!done.get()) {
      Optional<Lease> next = semaphore.tryAcquire(1, TimeScale.millis(300));
      mine.release();
      mine = next.isPresent() ? next.get() : semaphore.acquire();
    }
    mine.release();
    return true;
  }

  @Rule(
      value = "SE-5",
      shows = "a waiter for many that dies does not block others for long",
      needs = Need.STORE)
  void deadInTheLine(Bench bench) throws Exception {
    String name = bench.name();
    DistributedSemaphore one = SemaphoreSteps.of(bench.site().open(), name, 2);
    Lease held = take(one, 1).get(0);
    Faults faults = new Faults();
    LockManager dying = bench.site().open(faults);
    CompletableFuture<Lease> large =
        SemaphoreSteps.of(dying, name, 2).acquireAsync(2).toCompletableFuture();
    Await.until("it waits", () -> faults.count(Op.ACQUIRE) >= 2);
    for (Op op : Op.values()) {
      faults.every(op, StoreFault.callLost());
    }
    Optional<Lease> next = one.tryAcquire(1, TimeScale.seconds(4).plus(SLACK));
    Check.that(next.isPresent(), "a free permit is taken behind one that died in the line");
    held.ensureValid();
    large.cancel(true);
  }

  // ---- SE-6 ----

  @Rule(value = "SE-6", shows = "two permits wake two", also = Guarantee.WAKE_UP)
  void wakesBoth(Bench bench) {
    String name = bench.name();
    Lease both = SemaphoreSteps.of(bench.site().open(), name, 2).tryAcquire(2).orElseThrow();
    Waiters waiters = new Waiters(bench, name, 2, 2);
    both.release();
    Await.until("both waiters have theirs", SLACK, () -> waiters.count() == 2);
    waiters.leases.forEach(Await::value);
  }

  @Rule(value = "SE-6", shows = "one permit wakes one", also = Guarantee.WAKE_ONE)
  void wakesOne(Bench bench) {
    if (askedInVain(bench) == 0) {
      return;
    }
    for (int i = 0; i < 2; i++) { // on a busy machine one answer may be late, but hardly two
      Check.equal(0, askedInVain(bench), "how often others asked in vain when one was woken");
    }
  }

  private static int askedInVain(Bench bench) {
    String name = bench.name();
    List<Lease> held = take(SemaphoreSteps.of(bench.site().open(), name, 2), 2);
    Waiters waiters = new Waiters(bench, name, 2, 3);
    int before = waiters.settled();
    held.get(0).release();
    Await.until("one has its permit", SLACK, () -> waiters.count() == 1);
    Await.pass(TimeScale.millis(300));
    Check.equal(1L, waiters.count(), "how many got in");
    int inVain = waiters.refusals.get() - before;
    held.get(1).release();
    Await.until("two have theirs", () -> waiters.count() == 2);
    return inVain;
  }

  /**
   * The dead waiters want more permits than are ever free, so they are not found dead by being
   * granted.
   */
  @Rule(
      value = "SE-6",
      shows = "a waiter behind many dead ones is woken",
      also = Guarantee.WAKE_ONE,
      needs = Need.STORE)
  void behindTheDead(Bench bench) {
    String name = bench.name();
    DistributedSemaphore semaphore = SemaphoreSteps.of(bench.site().open(), name, 3);
    List<Lease> held = take(semaphore, 2);
    Lease last = take(semaphore, 1).get(0);
    LeaseStore two = ((PermitStore) bench.site().store()).permits(2, 3);
    for (int i = 0; i < DEAD; i++) {
      LeaseKey dead = bench.key(name);
      Duration soon = Duration.ofMillis(1);
      Await.value(
          two.acquire(
              new AcquireRequest(dead, LONG, IfHeld.ENQUEUE).repeated().withAsksWithin(soon)));
    }
    Waiters waiters = new Waiters(bench, name, 3, 1);
    last.release();
    Await.until(
        "it is woken, and does not look by itself",
        RARELY.longest().dividedBy(2),
        () -> {
          // Each attempt looks for free permits, as does each release.
          semaphore.tryAcquire().ifPresent(Lease::release);
          return waiters.count() == 1;
        });
    held.forEach(Lease::ensureValid);
  }

  @Rule(
      value = "SE-6",
      shows = "a woken waiter that leaves passes the wake-up on",
      also = Guarantee.WAKE_ONE)
  void passesOn(Bench bench) {
    String name = bench.name();
    List<Lease> held = take(SemaphoreSteps.of(bench.site().open(), name, 1), 1);
    Waiters waiters = new Waiters(bench, name, 1, 2);
    held.get(0).release();
    if (!waiters.leases.get(0).cancel(true)) {
      Await.value(waiters.leases.get(0)).release(); // granted before the cancellation
    }
    long left = System.nanoTime();
    Await.value(waiters.leases.get(1));
    Check.atMost(
        SLACK, Duration.ofNanos(System.nanoTime() - left), "until the second has the permit");
  }

  /** Waiters with a manager each, refused and subscribed, in order. */
  private static final class Waiters {
    final AtomicInteger refusals = new AtomicInteger();
    final List<CompletableFuture<Lease>> leases = new ArrayList<>();

    Waiters(Bench bench, String name, int permits, int waiters) {
      for (int i = 0; i < waiters; i++) {
        AtomicInteger mine = new AtomicInteger();
        LockManager manager =
            bench.site().open(builder -> builder.listener(event -> heard(event, mine)));
        leases.add(patient(manager, name, permits).acquireAsync(1).toCompletableFuture());
        // The first refusal on arrival, the second once it is subscribed.
        Await.until("it waits", () -> mine.get() >= 2);
      }
    }

    private void heard(LockEvent event, AtomicInteger mine) {
      if (event instanceof LockEvent.Contended) {
        mine.incrementAndGet();
        refusals.incrementAndGet();
      }
    }

    /** The number of refusals, once no more are added. */
    int settled() {
      int before;
      do {
        before = refusals.get();
        Await.pass(TimeScale.millis(300));
      } while (before != refusals.get());
      return before;
    }

    long count() {
      return leases.stream().filter(CompletableFuture::isDone).count();
    }
  }
}
