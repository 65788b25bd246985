package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

final class LifecycleRules {
  private static final Duration LEASE = TimeScale.millis(800);
  private static final Duration SLACK = TimeScale.seconds(3);
  private static final int WAITERS = 3;

  /** More than a manager's threads for blocking calls. */
  private static final int MANY = 600;

  // ---- LC-1 ----

  @Rule(value = "LC-1", shows = "waiters fail")
  void waitersFail(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    LockManager closing = bench.site().open();
    CompletableFuture<Lease> async = closing.lock(name).acquireAsync().toCompletableFuture();
    CompletableFuture<Optional<Lease>> timed =
        closing.lock(name).tryAcquireAsync(TimeScale.seconds(30)).toCompletableFuture();
    CompletableFuture<Lease> blocked = bench.onThread(() -> closing.lock(name).acquire());
    Await.until("the waiter stands in line", () -> stands(bench, name));
    closing.close();
    for (CompletableFuture<?> waiter : List.of(async, timed, blocked)) {
      Check.fails(LockManagerClosedException.class, "a waiter", () -> Await.value(waiter));
    }
    held.release();
    bench.site().open().lock(name).tryAcquire(SLACK).orElseThrow().release();
  }

  private static boolean stands(Bench bench, String name) {
    boolean lines = bench.guarantees().contains(Guarantee.WAKE_ONE);
    // One per manager, or under FAIR one per caller.
    long inLine = bench.guarantees().contains(Guarantee.FAIR) ? WAITERS : 1;
    return !lines || bench.site().view().hasWaiting(name, inLine);
  }

  @Rule(value = "LC-1", shows = "leases are signalled as lost, holders get their time")
  void holdersHaveTheirTime(Bench bench) throws Exception {
    String name = bench.name();
    LockManager other = bench.site().open();
    LockManager closing = bench.site().open(b -> b.closeGrace(TimeScale.seconds(20)));
    Lease lease = closing.lock(name).acquire();
    CompletableFuture<LeaseLoss> told = lease.lost().toCompletableFuture();
    long begun = System.nanoTime();
    CompletableFuture<Void> closed =
        bench.onThread(
            () -> {
              closing.close();
              return null;
            });
    Check.equal(LeaseLoss.Reason.CLOSED, Await.value(told).reason(), "the reason of the loss");
    Check.that(!lease.isValid(), "the lease is not valid any more");
    Check.that(!closed.isDone(), "closing waits for the holder");
    Check.that(other.lock(name).tryAcquire().isEmpty(), "nothing is freed under running code");
    Check.fails(LeaseLostException.class, "its release", lease::release);
    Await.value(closed);
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    Check.atMost(TimeScale.seconds(10), took, "closing, once its last holder was done");
    other.lock(name).tryAcquire(SLACK).orElseThrow().release();
  }

  @Rule(value = "LC-1", shows = "what is not released expires", timed = true)
  void theRestExpires(Bench bench) throws Exception {
    String name = bench.name();
    LockManager other = bench.site().open();
    LockManager closing = bench.site().open(b -> b.closeGrace(Duration.ofMillis(20)));
    long before = System.nanoTime();
    bench.automatic(closing, name, LEASE).acquire();
    closing.close();
    Lease next = other.lock(name).tryAcquire(bench.ended(LEASE).plus(SLACK)).orElseThrow();
    Duration took = Duration.ofNanos(System.nanoTime() - before);
    Check.atLeast(LEASE.minusMillis(1), took, "the time until others got the lock");
    Check.atMost(bench.ended(LEASE).plus(SLACK), took, "the time until others got the lock");
    next.release();
  }

  @Rule(value = "LC-1", shows = "no connection is left", needs = Need.OPTIONS)
  void noConnectionIsLeft(Bench bench) throws Exception {
    Site site = bench.ownSite();
    long before = clients(site);
    List<LockManager> managers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      LockManager manager = site.open();
      managers.add(manager);
      String name = bench.name();
      Lease lease = manager.lock(name).acquire();
      Optional<Lease> none = Await.value(manager.lock(name).tryAcquireAsync(TimeScale.millis(50)));
      Check.that(none.isEmpty(), "the lock is held");
      lease.release();
    }
    Check.that(clients(site) > before, "managers have connections");
    managers.forEach(LockManager::close);
    Await.until("their connections are gone", () -> clients(site) == before);
  }

  private static long clients(Site site) {
    return site.redis()
        .call("CLIENT", "LIST")
        .map(list -> list.toString().lines().count())
        .orElse(0L);
  }

  @Rule(value = "LC-1", shows = "closed by a thread that is interrupted", alone = true)
  void closedInterrupted(Bench bench) throws Exception {
    openUseAndClose(bench); // some library threads stay once a first client was created
    Await.pass(TimeScale.seconds(2)); // and some end late
    int threads = Thread.getAllStackTraces().size();
    for (int i = 0; i < 3; i++) {
      Thread.currentThread().interrupt();
      openUseAndClose(bench);
      Check.that(Thread.interrupted(), "the interrupt is kept");
    }
    Await.until(
        "there are no more threads than before",
        () -> Thread.getAllStackTraces().size() <= threads);
  }

  private static void openUseAndClose(Bench bench) {
    boolean interrupted = Thread.interrupted();
    LockManager manager = bench.site().open();
    manager.lock(bench.name()).tryAcquire().orElseThrow().release();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    manager.close();
  }

  @Rule(value = "LC-1", shows = "what was released before is freed, also if it is hurried")
  void releasedBefore(Bench bench) throws Exception {
    LockManager closing = bench.site().open();
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      asked.add(closing.lock(bench.name()).acquireAsync().toCompletableFuture());
    }
    List<Lease> held = asked.stream().map(Await::value).toList();
    held.forEach(Lease::releaseAsync);
    Thread.currentThread().interrupt();
    closing.close();
    Check.that(Thread.interrupted(), "the interrupt is kept");
    LockManager other = bench.site().open();
    for (Lease lease : held) {
      // Far less than the lease, for which an unreleased lock would stay held.
      Optional<Lease> next = other.lock(lease.lockName()).tryAcquire(TimeScale.seconds(5));
      Check.that(next.isPresent(), "a lock is free that was released before the close");
      next.ifPresent(Lease::release);
    }
  }

  // ---- LC-2 ----

  @Rule("LC-2")
  void closedManagerRefuses(Bench bench) {
    String name = bench.name();
    LockManager manager = bench.site().open();
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
    bench.site().open().lock(name).tryAcquire().orElseThrow().release();
  }

  @Rule(value = "LC-2", shows = "a grant that arrives after the close", needs = Need.STORE)
  void lateGrantIsReleased(Bench bench) throws Exception {
    String name = bench.name();
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.answerHeld(gate));
    LockManager closing = bench.site().open(faults);
    CompletableFuture<Lease> asked = closing.lock(name).acquireAsync().toCompletableFuture();
    gate.awaitReached();
    checkLateGrant(bench, name, closing, asked, gate);
  }

  @Rule(value = "LC-2", shows = "a grant to a request that does not wait", needs = Need.STORE)
  void lateGrantForOneThatAsksOnce(Bench bench) throws Exception {
    String name = bench.name();
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.answerHeld(gate));
    LockManager closing = bench.site().open(faults);
    CompletableFuture<Optional<Lease>> asked =
        bench.onThread(() -> closing.lock(name).tryAcquire());
    gate.awaitReached();
    checkLateGrant(bench, name, closing, asked, gate);
  }

  private static void checkLateGrant(
      Bench bench, String name, LockManager closing, CompletableFuture<?> asked, Gate gate)
      throws Exception {
    CompletableFuture<Void> closed =
        bench.onThread(
            () -> {
              closing.close();
              return null;
            });
    Check.fails(LockManagerClosedException.class, "the waiter", () -> Await.value(asked));
    gate.open();
    Await.value(closed);
    bench.site().open().lock(name).tryAcquire(SLACK).orElseThrow().release();
  }
}
