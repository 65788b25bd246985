package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Semaphores with waiters. */
final class SemaphoreLineRules extends SemaphoreSteps {
  /** More entries than a script inspects. */
  private static final int DEAD = 120;

  // ---- SE-4 ----

  @Rule(
      value = "SE-4",
      shows = "a waiter with the old number fails at once",
      also = Guarantee.WAKE_UP,
      needs = Need.PARTS)
  void toldOfAnotherNumber() {
    DistributedSemaphore two = semaphore(2);
    List<Lease> held = take(two, 2);
    Waiters waiters = new Waiters(2, 2);
    long changed = System.nanoTime();
    two.resize(1);
    for (CompletableFuture<Lease> waiter : waiters.leases) {
      Check.fails(LockConfigurationException.class, "a waiter", () -> Await.value(waiter));
    }
    Check.atMost(SLACK, since(changed), "until the waiters fail");
    held.forEach(Lease::release);
  }

  // ---- SE-5 ----

  @Rule(value = "SE-5", shows = "all or nothing")
  void allOrNothing() {
    DistributedSemaphore one = semaphore(3);
    DistributedSemaphore other = semaphore(3);
    Lease held = take(one);
    Check.that(other.tryAcquire(3).isEmpty(), "three of two are refused");
    checkFree(one, 2, "after a refusal");
    Lease two = other.tryAcquire(2).orElseThrow();
    Check.that(one.tryAcquire().isEmpty(), "all are held");
    two.release();
    checkFree(one, 2, "after one release of two");
    held.ensureValid();
  }

  @Rule(value = "SE-5", shows = "a waiter for several permits holds none")
  void holdsNone() throws Exception {
    DistributedSemaphore one = semaphore(3);
    List<Lease> held = take(one, 2);
    DistributedSemaphore other = semaphore(3);
    Optional<Lease> large =
        answered(() -> Await.value(other.tryAcquireAsync(3, TimeScale.millis(300))));
    Check.that(large.isEmpty(), "its time was up");
    held.forEach(Lease::release);
    checkFree(one, 3, "after one that waited in vain");
  }

  // The other owner acquires its next permit before it releases the last one: without a line both
  // permits are never free at once.
  @Rule(value = "SE-5", shows = "many beside a client that always holds one")
  void notPassed() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Lease> first = new CompletableFuture<>();
    DistributedSemaphore small = semaphore(2);
    CompletableFuture<Void> overlapping = beside(() -> overlap(small, first, done));
    Await.value(first);
    Optional<Lease> both = semaphore(2).tryAcquire(2, TimeScale.seconds(8));
    done.set(true);
    taken(both, "a waiter for two gets them beside one that always holds one");
    Await.value(overlapping);
  }

  /**
   * Always holds a permit, except when the next one is refused for a while; a stall of the machine
   * is no refusal.
   */
  private static void overlap(
      DistributedSemaphore semaphore, CompletableFuture<Lease> first, AtomicBoolean done)
      throws Exception {
    Lease mine = semaphore.acquire();
    first.complete(mine);
    while (!done.get()) {
      Optional<Lease> next = answered(() -> semaphore.tryAcquire(1, TimeScale.millis(300)));
      mine.release();
      mine = next.isPresent() ? next.get() : semaphore.acquire();
    }
    mine.release();
  }

  @Rule(
      value = "SE-5",
      shows = "a waiter for many that dies does not block others for long",
      needs = Need.STORE)
  void deadInTheLine() throws Exception {
    DistributedSemaphore one = semaphore(2);
    Lease held = take(one);
    Faults faults = new Faults();
    CompletableFuture<Lease> large =
        semaphore(open(faults), 2).acquireAsync(2).toCompletableFuture();
    Await.until("it waits", () -> faults.count(Op.ACQUIRE) >= 2);
    die(faults);
    Optional<Lease> next = one.tryAcquire(1, TimeScale.seconds(4).plus(SLACK));
    Check.that(next.isPresent(), "a free permit is taken behind one that died in the line");
    held.ensureValid();
    large.cancel(true);
  }

  // ---- SE-6 ----

  @Rule(value = "SE-6", shows = "two permits wake two", also = Guarantee.WAKE_UP)
  void wakesBoth() {
    Lease both = semaphore(2).tryAcquire(2).orElseThrow();
    Waiters waiters = new Waiters(2, 2);
    both.release();
    Await.until("both waiters have theirs", SLACK, () -> waiters.count() == 2);
    waiters.leases.forEach(Await::value);
  }

  @Rule(value = "SE-6", shows = "one permit wakes one", also = Guarantee.WAKE_ONE)
  void wakesOne() {
    if (askedInVain() == 0) {
      return;
    }
    for (int i = 0; i < 2; i++) { // on a busy machine one answer may be late, but hardly two
      Check.equal(0, askedInVain(), "how often others asked in vain when one was woken");
    }
  }

  private int askedInVain() {
    nextName();
    List<Lease> held = take(semaphore(2), 2);
    Waiters waiters = new Waiters(2, 3);
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
  void behindTheDead() {
    DistributedSemaphore semaphore = semaphore(3);
    List<Lease> held = take(semaphore, 2);
    Lease last = take(semaphore);
    LeaseStore two = permits(2, 3);
    for (int i = 0; i < DEAD; i++) {
      AcquireRequest dead = new AcquireRequest(key(name), LONG, IfHeld.ENQUEUE).repeated();
      Await.value(two.acquire(dead.withAsksWithin(Duration.ofMillis(1))));
    }
    Waiters waiters = new Waiters(3, 1);
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
  void passesOn() {
    List<Lease> held = take(semaphore(1), 1);
    Waiters waiters = new Waiters(1, 2);
    held.get(0).release();
    if (!waiters.leases.get(0).cancel(true)) {
      Await.value(waiters.leases.get(0)).release(); // granted before the cancellation
    }
    long left = System.nanoTime();
    Await.value(waiters.leases.get(1));
    Check.atMost(SLACK, since(left), "until the second has the permit");
  }

  /** Waiters with a manager each, refused and subscribed, in order. */
  private final class Waiters {
    final AtomicInteger refusals = new AtomicInteger();
    final List<CompletableFuture<Lease>> leases = new ArrayList<>();

    Waiters(int permits, int waiters) {
      for (int i = 0; i < waiters; i++) {
        AtomicInteger mine = new AtomicInteger();
        LockManager manager =
            open(builder -> builder.listener(refusals(mine)).listener(refusals(refusals)));
        leases.add(patient(manager, permits).acquireAsync(1).toCompletableFuture());
        // The first refusal on arrival, the second once it is subscribed.
        Await.until("it waits", () -> mine.get() >= 2);
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
