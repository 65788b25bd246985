package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

final class LifecycleRules extends Steps {
  private static final Duration LEASE = TimeScale.millis(800);
  private static final int WAITERS = 3;

  /** More than a manager's threads for blocking calls. */
  private static final int MANY = 600;

  // ---- LC-1 ----

  @Rule(value = "LC-1", shows = "waiters fail")
  void waitersFail() throws Exception {
    Lease held = lock().acquire();
    LockManager closing = open();
    CompletableFuture<Lease> async = asking(closing.lock(name));
    CompletableFuture<Optional<Lease>> timed =
        closing.lock(name).tryAcquireAsync(TimeScale.seconds(30)).toCompletableFuture();
    CompletableFuture<Lease> blocked = onThread(() -> closing.lock(name).acquire());
    Await.until("the waiter stands in line", this::stands);
    closing.close();
    for (CompletableFuture<?> waiter : List.of(async, timed, blocked)) {
      Check.fails(LockManagerClosedException.class, "a waiter", () -> Await.value(waiter));
    }
    held.release();
    lock().tryAcquire(SLACK).orElseThrow().release();
  }

  private boolean stands() {
    // One per manager, or under FAIR one per caller.
    long inLine = promises(Guarantee.FAIR) ? WAITERS : 1;
    return !promises(Guarantee.WAKE_ONE) || view().hasWaiting(name, inLine);
  }

  @Rule(value = "LC-1", shows = "leases are signalled as lost, holders get their time")
  void holdersHaveTheirTime() throws Exception {
    LockManager other = open();
    LockManager closing = open(b -> b.closeGrace(TimeScale.seconds(20)));
    Lease lease = closing.lock(name).acquire();
    CompletableFuture<LeaseLoss> told = lease.lost().toCompletableFuture();
    long begun = System.nanoTime();
    CompletableFuture<Void> closed = beside(closing::close);
    Check.equal(LeaseLoss.Reason.CLOSED, Await.value(told).reason(), "the reason of the loss");
    Check.that(!lease.isValid(), "the lease is not valid any more");
    Check.that(!closed.isDone(), "closing waits for the holder");
    Check.that(other.lock(name).tryAcquire().isEmpty(), "nothing is freed under running code");
    Check.fails(LeaseLostException.class, "its release", lease::release);
    Await.value(closed);
    Check.atMost(TimeScale.seconds(10), since(begun), "closing, once its last holder was done");
    other.lock(name).tryAcquire(SLACK).orElseThrow().release();
  }

  @Rule(value = "LC-1", shows = "what is not released expires", timed = true)
  void theRestExpires() throws Exception {
    LockManager other = open();
    LockManager closing = open(b -> b.closeGrace(Duration.ofMillis(20)));
    long before = System.nanoTime();
    automatic(closing, name, LEASE).acquire();
    closing.close();
    Lease next = other.lock(name).tryAcquire(ended(LEASE).plus(SLACK)).orElseThrow();
    Duration took = since(before);
    Check.atLeast(LEASE.minusMillis(1), took, "the time until others got the lock");
    Check.atMost(ended(LEASE).plus(SLACK), took, "the time until others got the lock");
    next.release();
  }

  @Rule(value = "LC-1", shows = "no connection is left", needs = Need.OPTIONS)
  void noConnectionIsLeft() throws Exception {
    Site site = ownSite();
    long before = connections(site);
    List<LockManager> managers = List.of(site.open(), site.open(), site.open());
    for (LockManager manager : managers) {
      nextName();
      Lease lease = manager.lock(name).acquire();
      Duration brief = TimeScale.millis(50); // subscribes; the answer may be late
      Check.that(
          !isGranted(() -> Await.value(manager.lock(name).tryAcquireAsync(brief))),
          "the lock is held");
      lease.release();
    }
    Check.that(connections(site) > before, "managers have connections");
    managers.forEach(LockManager::close);
    Await.until("their connections are gone", () -> connections(site) == before);
  }

  @Rule(value = "LC-1", shows = "closed by a thread that is interrupted", alone = true)
  void closedInterrupted() throws Exception {
    openUseAndClose(); // some library threads stay once a first client was created
    Await.pass(TimeScale.seconds(2)); // and some end late
    int threads = Thread.getAllStackTraces().size();
    for (int i = 0; i < 3; i++) {
      Thread.currentThread().interrupt();
      openUseAndClose();
      Check.that(Thread.interrupted(), "the interrupt is kept");
    }
    Await.until(
        "there are no more threads than before",
        () -> Thread.getAllStackTraces().size() <= threads);
  }

  private void openUseAndClose() {
    boolean interrupted = Thread.interrupted();
    LockManager manager = open();
    manager.lock(freshName()).tryAcquire().orElseThrow().release();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    manager.close();
  }

  @Rule(value = "LC-1", shows = "what was released before is freed, also if it is hurried")
  void releasedBefore() throws Exception {
    LockManager closing = open();
    List<CompletableFuture<Lease>> asked =
        Stream.generate(() -> asking(closing.lock(freshName()))).limit(MANY).toList();
    List<Lease> held = asked.stream().map(Await::value).toList();
    held.forEach(Lease::releaseAsync);
    Thread.currentThread().interrupt();
    closing.close();
    Check.that(Thread.interrupted(), "the interrupt is kept");
    LockManager other = open();
    for (Lease lease : held) {
      // Far less than the lease, for which an unreleased lock would stay held.
      taken(
          other.lock(lease.lockName()).tryAcquire(TimeScale.seconds(5)),
          "a lock is free that was released before the close");
    }
  }

  // ---- LC-2 ----

  @Rule("LC-2")
  void closedManagerRefuses() {
    LockManager manager = open();
    DistributedLock lock = manager.lock(name);
    manager.close();
    manager.close();
    Class<LockManagerClosedException> closed = LockManagerClosedException.class;
    Check.fails(closed, "lock", () -> manager.lock(name));
    Check.fails(closed, "acquire", lock::acquire);
    Check.fails(closed, "tryAcquire", lock::tryAcquire);
    Check.fails(closed, "a timed tryAcquire", () -> lock.tryAcquire(LEASE));
    Check.fails(closed, "acquireAsync", () -> Await.value(lock.acquireAsync()));
    Check.fails(closed, "tryAcquireAsync", () -> Await.value(lock.tryAcquireAsync(LEASE)));
    Check.fails(closed, "inspect", lock::inspect);
    Check.fails(closed, "the lock view", () -> lock.asLock().lock());
    lock().tryAcquire().orElseThrow().release();
  }

  @Rule(value = "LC-2", shows = "a grant that arrives after the close", needs = Need.STORE)
  void lateGrantIsReleased() throws Exception {
    checkLateGrant(Steps::asking);
  }

  @Rule(value = "LC-2", shows = "a grant to a request that does not wait", needs = Need.STORE)
  void lateGrantForOneThatAsksOnce() throws Exception {
    checkLateGrant(lock -> onThread(lock::tryAcquire));
  }

  private void checkLateGrant(Function<DistributedLock, CompletableFuture<?>> ask)
      throws Exception {
    Gate gate = new Gate();
    LockManager closing = open(new Faults().next(Op.ACQUIRE, StoreFault.answerHeld(gate)));
    CompletableFuture<?> asked = ask.apply(closing.lock(name));
    gate.awaitReached();
    CompletableFuture<Void> closed = beside(closing::close);
    Check.fails(LockManagerClosedException.class, "the waiter", () -> Await.value(asked));
    gate.open();
    Await.value(closed);
    lock().tryAcquire(SLACK).orElseThrow().release();
  }
}
