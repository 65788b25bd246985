package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
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
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

final class LossRules extends Steps {
  private static final Duration LEASE = TimeScale.millis(600);

  /** A length that is renewed in time even on a machine that stalls. */
  private static final Duration KEPT = TimeScale.millis(1500);

  private static final Duration BRIEF = TimeScale.millis(300);
  private static final Duration LATE = TimeScale.seconds(2);

  /** Records when a lease's loss was signalled, relative to its deadline. */
  private static final class Watched {
    final Lease lease;
    final CompletableFuture<Long> toldAt;
    final long earliest;
    final long latest;

    /** Watches a lease whose deadline does not move any more. */
    Watched(Lease lease) {
      this.lease = lease;
      long before = System.nanoTime();
      long left = lease.remaining().toNanos();
      this.earliest = before + left;
      this.latest = System.nanoTime() + left;
      this.toldAt = lease.lost().thenApply(loss -> System.nanoTime()).toCompletableFuture();
    }

    void checkTold(String when) {
      long told = Await.value(toldAt);
      Check.that(told - earliest >= 0, "no loss is signalled before the deadline, " + when);
      Duration late = Duration.ofNanos(told - latest);
      Check.atMost(LATE, late, "how long after the deadline the loss is signalled, " + when);
      Check.equal(Reason.EXPIRED, Await.value(lease.lost()).reason(), "the reason, " + when);
      Check.that(!lease.isValid(), "the lease is not valid after its loss, " + when);
      Check.fails(LeaseLostException.class, "a check of the lease, " + when, lease::ensureValid);
    }
  }

  private static long losses(List<LockEvent> events, String lockName) {
    return events.stream()
        .filter(e -> e instanceof LockEvent.Lost && e.lockName().equals(lockName))
        .count();
  }

  // ---- LO-1 ----

  @Rule(value = "LO-1", shows = "a fixed lease", timed = true)
  void fixedLease() throws Exception {
    LockManager manager = open();
    Watched blocking = new Watched(fixed(manager, freshName(), BRIEF).acquire());
    Watched async = new Watched(Await.value(fixed(manager, freshName(), BRIEF).acquireAsync()));
    blocking.checkTold("of a blocking acquisition");
    async.checkTold("of an asynchronous acquisition");
  }

  @Rule(value = "LO-1", shows = "calls are never answered", needs = Need.STORE, timed = true)
  void storeIsSilent() throws Exception {
    Gate gate = new Gate();
    Faults faults = new Faults();
    // A time-out far beyond the deadline: the signal must not wait for it.
    LockManager manager = open(faults, b -> b.commandTimeout(LONG));
    for (Op op : Op.values()) {
      if (op != Op.ACQUIRE) {
        faults.every(op, StoreFault.callHeld(gate));
      }
    }
    Watched fixed = new Watched(fixed(manager, freshName(), BRIEF).acquire());
    Watched automatic = new Watched(automatic(manager, freshName(), BRIEF).acquire());
    gate.awaitReached();
    fixed.checkTold("of a fixed lease");
    automatic.checkTold("of an automatic lease");
    faults.clear();
    gate.open(); // lets the manager close
  }

  @Rule(value = "LO-1", shows = "the server hangs", needs = Need.PAUSE, timed = true)
  void serverStandsStill() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(LONG));
    Lease fixed = fixed(manager, freshName(), LEASE).acquire();
    Lease automatic = automatic(manager, freshName(), LEASE).acquire();
    site.server().pause();
    try {
      new Watched(fixed).checkTold("of a fixed lease");
      // A renewal's answer may have been in flight: then the deadline moves once more.
      LeaseLoss loss = Await.value(automatic.lost());
      Check.equal(Reason.EXPIRED, loss.reason(), "the reason for an automatic lease");
      Check.that(!automatic.isValid(), "the automatic lease is not valid");
    } finally {
      site.server().resume();
    }
  }

  // ---- LO-2 ----

  @Rule(
      value = "LO-2",
      shows = "one signal for deadline and refusal together",
      needs = {Need.STORE, Need.VIEW})
  void oneSignal() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    Gate gate = new Gate();
    Faults faults = new Faults().every(Op.RENEW, StoreFault.answerHeld(gate));
    LockManager late = open(faults, b -> b.listener(events::add));
    Lease expires = automatic(late, freshName(), BRIEF).acquire();
    LockManager manager = open(b -> b.listener(events::add));
    Lease refused = automatic(manager, freshName(), BRIEF).acquire();
    List<Lease> both = List.of(expires, refused);
    both.forEach(lease -> view().remove(lease.lockName()));
    Await.value(expires.lost());
    gate.open(); // lets the refusals through
    Await.value(refused.lost());
    Await.pass(BRIEF.plus(BRIEF.dividedBy(3))); // past the deadline of the refused lease
    for (Lease lease : both) {
      Check.fails(LeaseLostException.class, "a late release", lease::release);
      lease.release();
      Await.until("the loss is signalled", () -> losses(events, lease.lockName()) > 0);
    }
    late.close();
    manager.close();
    for (Lease lease : both) {
      Check.equal(1L, losses(events, lease.lockName()), "the number of losses: " + events);
    }
  }

  @Rule(value = "LO-2", shows = "none after a normal release", timed = true)
  void noSignal() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    LockManager manager = open(b -> b.listener(events::add));
    Lease fixed = fixed(manager, freshName(), KEPT).acquire();
    Lease automatic = automatic(manager, freshName(), KEPT).acquire();
    Lease async = Await.value(fixed(manager, freshName(), KEPT).acquireAsync());
    List<CompletableFuture<LeaseLoss>> signals =
        Stream.of(fixed, automatic, async).map(l -> l.lost().toCompletableFuture()).toList();
    fixed.release();
    automatic.release();
    Await.value(async.releaseAsync());
    Await.pass(KEPT.plus(KEPT.dividedBy(5)));
    manager.close();
    Await.until(
        "all releases are reported",
        () -> events.stream().filter(LockEvent.Released.class::isInstance).count() == 3);
    checkNoLoss(events);
    Check.that(signals.stream().noneMatch(CompletableFuture::isDone), "no loss is signalled");
    Check.that(
        !fixed.lost().toCompletableFuture().isDone(), "none is signalled to a later call either");
  }

  @Rule(value = "LO-2", shows = "a listener that throws", timed = true)
  void throwingListener() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    LockManager manager = open(b -> b.listener(LossRules::harm).listener(events::add));
    Lease kept = automatic(manager, freshName(), KEPT).acquire();
    Lease first = fixed(manager, freshName(), BRIEF).acquire();
    Lease second = fixed(manager, freshName(), BRIEF).acquire();
    first.lost().thenAccept(LossRules::harm);
    second.lost().thenAccept(LossRules::harm);
    new Watched(first).checkTold("though callbacks throw");
    new Watched(second).checkTold("though callbacks throw");
    Await.pass(KEPT); // past its first deadline
    Check.that(kept.isValid(), "another lease is renewed though callbacks throw");
    kept.release();
    for (Lease lost : List.of(first, second)) {
      Await.until("the loss is signalled", () -> losses(events, lost.lockName()) > 0);
      Check.equal(1L, losses(events, lost.lockName()), "the number of losses: " + events);
    }
  }

  private static void harm(Object event) {
    throw new Unwelcome("a callback that throws, notified of " + event);
  }

  /**
   * An Error rather than an exception, as the worse case; without a stack trace, to keep logs
   * short.
   */
  private static final class Unwelcome extends Error {
    private static final long serialVersionUID = 1L;

    Unwelcome(String message) {
      super(message, null, false, false);
    }
  }

  // ---- LO-3 ----

  @Rule("LO-3")
  void lostForEver() throws Exception {
    LockManager manager = open();
    Lease lost = fixed(manager, freshName(), BRIEF).acquire();
    Lease lostAsync = Await.value(fixed(manager, freshName(), BRIEF).acquireAsync());
    Await.value(lost.lost());
    Await.value(lostAsync.lost());
    Check.fails(LeaseLostException.class, "the release of a lost handle", lost::release);
    Lease anew = fixed(manager, lost.lockName(), LONG).tryAcquire(ended(SLACK)).orElseThrow();
    DistributedLock again = fixed(manager, lostAsync.lockName(), LONG);
    Lease anewAsync = Await.value(again.tryAcquireAsync(ended(SLACK))).orElseThrow();
    checkLost(lost, anew, "held by its owner again");
    checkLost(lostAsync, anewAsync, "held by its manager again");
    Check.fails(
        LeaseLostException.class,
        "the release of a lost handle while its manager holds the lock",
        lostAsync::release);
    LockManager other = open();
    for (Lease lease : List.of(anew, anewAsync)) {
      lost.release();
      lostAsync.release();
      Check.that(lease.isValid(), "the new hold is untouched");
      Check.that(
          elsewhere(() -> other.lock(lease.lockName()).tryAcquire()).isEmpty(),
          "the lock is untouched, too");
      lease.release();
    }
    checkLost(lost, anew, "free again");
  }

  private static void checkLost(Lease lost, Lease anew, String when) {
    Check.that(!lost.isValid(), "a lost handle is invalid when the lock is " + when);
    Check.equal(Duration.ZERO, lost.remaining(), "what remains of it when the lock is " + when);
    Check.equal(0, lost.holdCount(), "its hold count when the lock is " + when);
    Check.that(!lost.extend(LONG), "a lost handle can't be extended when the lock is " + when);
    Check.fails(LeaseLostException.class, "a check when the lock is " + when, lost::ensureValid);
    Check.that(lost.lost().toCompletableFuture().isDone(), "the loss stays signalled");
    Check.that(!anew.lost().toCompletableFuture().isDone(), "no loss of the new hold is signalled");
  }

  // ---- LO-4 ----

  @Rule(value = "LO-4", needs = Need.VIEW, timed = true)
  void noticedByRenewal() throws Exception {
    // Long enough to tell the reasons apart: the renewal is sent after a third of it.
    Duration lease = TimeScale.millis(1500);
    LockManager manager = open();
    Lease removed = automatic(manager, freshName(), lease).acquire();
    Lease taken = automatic(manager, freshName(), lease).acquire();
    ServerView view = view();
    view.remove(removed.lockName());
    view.put(taken.lockName(), "kit:a-stranger", LONG);
    String strangers = view.look(taken.lockName()).orElseThrow().value();
    for (Lease lost : List.of(removed, taken)) {
      LeaseLoss loss = Await.value(lost.lost());
      Check.equal(Reason.NOT_OWNER, loss.reason(), "the reason of the loss");
      Check.equal(lost.lockName(), loss.lockName(), "the lock that was lost");
      Check.that(!lost.isValid(), "the lease is not valid any more");
      Check.fails(LeaseLostException.class, "its release", lost::release);
    }
    Check.that(view.look(removed.lockName()).isEmpty(), "a removed lock is not put back");
    ServerView.Entry stranger = view.look(taken.lockName()).orElseThrow();
    Check.equal(strangers, stranger.value(), "what the new holder wrote");
    Check.atLeast(LONG.dividedBy(2), stranger.left(), "its time to live");
    view.remove(taken.lockName());
  }

  // ---- LO-5 ----

  @Rule(value = "LO-5", shows = "a slow listener", timed = true)
  void slowListener() throws Exception {
    String slow = freshName();
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<Void> stuck = new CompletableFuture<>();
    LockManager manager =
        open(b -> b.listener(event -> holdUp(event.lockName(), slow, stuck, end)));
    try {
      Lease kept = automatic(manager, freshName(), KEPT).acquire();
      Lease first = fixed(manager, slow, BRIEF).acquire();
      first.lost().thenAccept(loss -> holdUp(slow, slow, stuck, end));
      Await.value(stuck);
      Await.until("its lease ends", () -> !first.isValid());
      new Watched(fixed(manager, freshName(), BRIEF).acquire())
          .checkTold("while another's listeners are slow");
      Await.pass(KEPT); // past its first deadline
      Check.that(kept.isValid(), "a lease is renewed while another's listeners are slow");
      Check.equal(1L, end.getCount(), "the number of listeners' latches that are closed");
      kept.release();
    } finally {
      end.countDown();
    }
  }

  private static void holdUp(
      String lockName, String slow, CompletableFuture<Void> stuck, CountDownLatch end) {
    if (lockName.equals(slow)) {
      stuck.complete(null);
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // Catches an engine that waits for a whole batch, or sends calls from the timer thread.
  @Rule(value = "LO-5", shows = "calls that are not answered", needs = Need.STORE, timed = true)
  void unansweredCalls() throws Exception {
    Gate gate = new Gate();
    Faults faults = new Faults();
    LockManager manager = open(faults, b -> b.commandTimeout(LONG));
    try {
      Lease released = fixed(manager, freshName(), LONG).acquire();
      List<Lease> kept =
          List.of(
              automatic(manager, freshName(), LEASE).acquire(),
              automatic(manager, freshName(), LEASE).acquire());
      String silent = freshName();
      faults.every(Op.RENEW, silent, StoreFault.answerHeld(gate));
      faults.every(Op.RELEASE, released.lockName(), StoreFault.callHeld(gate));
      Watched lost = new Watched(automatic(manager, silent, LEASE).acquire());
      Watched fixed = new Watched(fixed(manager, freshName(), BRIEF).acquire());
      faults.next(Op.ACQUIRE, StoreFault.callHeld(gate));
      CompletableFuture<Optional<Lease>> asking =
          manager.lock(freshName()).tryAcquireAsync(Duration.ZERO).toCompletableFuture();
      CompletableFuture<Void> releasing = released.releaseAsync().toCompletableFuture();
      fixed.checkTold("while other calls are not answered");
      lost.checkTold("whose renewals are not answered");
      Await.pass(BRIEF.dividedBy(2)); // past their first deadlines
      for (Lease lease : kept) {
        Check.that(lease.isValid(), "a lease is renewed while other calls are not answered");
      }
      Check.that(!asking.isDone() && !releasing.isDone(), "those calls are still not answered");
      gate.open();
      Await.value(releasing);
      Await.value(asking).orElseThrow().release();
      kept.forEach(Lease::release);
    } finally {
      gate.open(); // lets the manager close
    }
  }
}
