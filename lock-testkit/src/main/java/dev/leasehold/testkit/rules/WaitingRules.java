package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
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
import java.util.concurrent.atomic.AtomicInteger;

final class WaitingRules extends Steps {
  /** No lease expires during a rule, so that an expiry cannot hide a missing wake-up. */
  private static final Duration WAIT = TimeScale.millis(300);

  private static final Duration PATIENT = TimeScale.seconds(9);

  /**
   * Long enough to distinguish a caller that waits for the command time-out from one that waits for
   * its own time.
   */
  private static final Duration COMMAND = TimeScale.seconds(8);

  /** Poll intervals long enough to reveal a caller that sleeps through one. */
  private static LockOptions slowPauses() {
    Duration pause = Duration.ofMinutes(1);
    return LockOptions.fixed(LONG).toBuilder().waitStrategy(WaitStrategy.every(pause)).build();
  }

  // ---- WA-1 ----

  @Rule(value = "WA-1", shows = "the lock is held")
  void endsByItsTime() throws Exception {
    Lease held = fixed(name, LONG).acquire();
    LockManager manager = open();
    manager.lock(freshName()).acquire().release(); // connects
    DistributedLock lock = manager.lock(name, slowPauses());
    Duration wait = TimeScale.seconds(1); // long enough to be refused even on a slow machine
    CompletableFuture<Duration> blocking = onThread(() -> refusal(lock, wait));
    Duration async =
        took(() -> Check.that(Await.value(lock.tryAcquireAsync(wait)).isEmpty(), "it is refused"));
    for (Duration took : List.of(async, Await.value(blocking))) {
      Check.atLeast(wait.minusMillis(1), took, "a timed attempt at a held lock");
      Check.atMost(wait.plus(SLACK), took, "a timed attempt at a held lock");
    }
    Check.that(held.isValid(), "the holder was left alone");
  }

  /** How long a refusal takes. */
  private static Duration refusal(DistributedLock lock, Duration wait) {
    return took(() -> Check.that(lock.tryAcquire(wait).isEmpty(), "it is refused"));
  }

  // Catches an engine that mistakes a pause between two polls for a store that does not answer.
  @Rule(
      value = "WA-1",
      shows = "the lock is held, and others of the process wait for it",
      needs = Need.STORE)
  void endsByItsTimeBehindOthers() throws Exception {
    fixed(name, LONG).acquire();
    Faults counted = new Faults();
    AtomicInteger answers = new AtomicInteger();
    LockManager manager = open(counted, b -> b.listener(answersTo(answers)));
    DistributedLock lock = manager.lock(name, slowPauses());
    CompletableFuture<Lease> first = asking(lock);
    // After its last refusal the first waiter pauses, and no request is in flight.
    int questions = promises(Guarantee.WAKE_UP) ? 2 : 1;
    Await.until("the first waits", () -> answers.get() >= questions);
    // No answer in time is what must not be reported, so their time outlasts a stall of the
    // machine.
    Duration wait = TimeScale.millis(1200);
    CompletableFuture<Optional<Lease>> second = lock.tryAcquireAsync(wait).toCompletableFuture();
    Check.that(lock.tryAcquire(wait).isEmpty(), "a third is refused");
    Check.that(Await.value(second).isEmpty(), "the second is refused");
    first.cancel(true);
  }

  @Rule(value = "WA-1", shows = "the store never answers", needs = Need.STORE)
  void endsWithoutAnswers() throws Exception {
    Gate gate = new Gate();
    Faults faults = new Faults().every(Op.ACQUIRE, StoreFault.callHeld(gate));
    LockManager manager = open(faults, b -> b.commandTimeout(COMMAND));
    checkEndsWithoutAnswers(manager.lock(freshName()));
    gate.open();
  }

  @Rule(value = "WA-1", shows = "the server is stopped", needs = Need.PAUSE)
  void endsWithTheServerStopped() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(COMMAND));
    DistributedLock lock = manager.lock(freshName());
    lock.acquire().release(); // connects
    fixed(site.open(), name, LONG).acquire();
    // Another caller is in the middle of its wait when the server stops. It may be told that the
    // lock is held, or that the store did not answer.
    Duration second = TimeScale.seconds(1);
    CompletableFuture<Duration> early =
        onThread(() -> took(() -> attempt(() -> manager.lock(name).tryAcquire(second))));
    site.server().pause();
    try {
      checkEndsWithoutAnswers(lock);
      Check.atMost(second.plus(SLACK), Await.value(early), "the earlier attempt");
    } finally {
      site.server().resume();
    }
    lock.tryAcquire(PATIENT).orElseThrow().release();
  }

  @Rule(value = "WA-1", shows = "the server is gone", needs = Need.KILL)
  void endsWithTheServerGone() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(COMMAND));
    DistributedLock lock = manager.lock(freshName());
    lock.acquire().release();
    site.server().kill();
    checkEndsWithoutAnswers(lock);
  }

  /** A store that does not answer must be distinguishable from a lock that is held. */
  private static void checkEndsWithoutAnswers(DistributedLock lock) {
    Duration blocking =
        took(() -> Check.fails(LockStoreException.class, "it", () -> lock.tryAcquire(WAIT)));
    Check.atMost(WAIT.plus(SLACK), blocking, "a timed attempt without answers");
    Duration async =
        took(
            () ->
                Check.fails(
                    LockStoreException.class, "it", () -> Await.value(lock.tryAcquireAsync(WAIT))));
    Check.atMost(WAIT.plus(SLACK), async, "an asynchronous timed attempt without answers");
  }

  // ---- WA-2 ----

  @Rule(value = "WA-2", shows = "the message does not arrive", needs = Need.STORE)
  void lostMessage() throws Exception {
    checkAcquiresAnyway(new Faults().loseWakeUps());
  }

  @Rule(value = "WA-2", shows = "listening never begins", needs = Need.STORE)
  void deafWaiter() throws Exception {
    checkAcquiresAnyway(new Faults().every(Op.WATCH, StoreFault.callLost()));
  }

  private void checkAcquiresAnyway(Faults faults) throws Exception {
    Lease held = fixed(name, LONG).acquire();
    // The command time-out must not decide: it is longer than the delay allowed below.
    LockManager deaf = open(faults, b -> b.commandTimeout(TimeScale.seconds(5)));
    CompletableFuture<Lease> waiting = asking(fixed(deaf, name, LONG));
    boolean listens = promises(Guarantee.WAKE_UP);
    // The first answer means that it is subscribed, the second that it is in the middle of its
    // wait.
    Await.until(
        "the waiter was refused",
        () -> listens ? faults.count(Op.WATCH) > 0 : faults.count(Op.ACQUIRE) > 1);
    held.release();
    long released = System.nanoTime();
    Await.value(waiting).release();
    Duration took = since(released);
    // The longest pause, one second, plus 10 %.
    Check.atMost(TimeScale.millis(1100).plus(SLACK), took, "a waiter that no message woke");
  }

  @Rule(value = "WA-2", shows = "its connection breaks", needs = Need.REDIS)
  void brokenConnection() throws Exception {
    Lease held = fixed(name, LONG).acquire();
    LockManager other = open();
    CompletableFuture<Lease> waiting = asking(fixed(other, name, LONG));
    awaitWaiting(name, 1);
    Check.that(!waiting.isDone(), "it waits");
    // Subscriptions are cut, so that the release's message reaches no subscriber.
    site().redis().call("CLIENT", "KILL", "TYPE", "pubsub");
    held.release();
    long released = System.nanoTime();
    Await.value(waiting).release();
    Duration took = since(released);
    Check.atMost(TimeScale.seconds(2).plus(SLACK), took, "a waiter whose connection broke");
  }

  // ---- WA-3 ----

  @Rule(value = "WA-3", needs = Need.STORE)
  void losersWaitOn() throws Exception {
    LeaseStore rival = store();
    LeaseKey holder = key(name);
    hold(rival, holder, LONG);
    Faults faults = new Faults();
    AtomicInteger answers = new AtomicInteger();
    LockManager manager = open(faults, b -> b.listener(answersTo(answers)));
    DistributedLock lock = fixed(manager, name, LONG);
    CompletableFuture<Lease> patient = onThread(() -> lock.tryAcquire(PATIENT).orElseThrow());
    for (int i = 0; i < 2; i++) {
      holder = stealInBetween(rival, holder, faults, answers);
    }
    Check.that(!patient.isDone(), "it waits on after it lost the race twice");
    Await.value(rival.release(holder));
    Await.value(patient.thenCompose(Lease::releaseAsync));

    // The remaining time must not start anew as a whole wait either.
    holder = key(name);
    hold(rival, holder, LONG);
    Duration wait = TimeScale.seconds(2);
    CompletableFuture<Duration> timed = onThread(() -> refusal(lock, wait));
    stealInBetween(rival, holder, faults, answers);
    Duration took = Await.value(timed);
    Check.atLeast(wait.minusMillis(1), took, "the wait of one that lost the race");
    Check.atMost(wait.plus(SLACK), took, "the wait of one that lost the race");
  }

  private static LockListener answersTo(AtomicInteger answers) {
    return event -> {
      if (event instanceof LockEvent.Contended || event instanceof LockEvent.Acquired) {
        answers.incrementAndGet();
      }
    };
  }

  /** Frees the lock, holds back the waiter's next request, and lets another owner take the lock. */
  private LeaseKey stealInBetween(
      LeaseStore rival, LeaseKey holder, Faults faults, AtomicInteger answers) throws Exception {
    awaitWaiting(holder.name(), 1);
    Gate gate = new Gate();
    faults.every(Op.ACQUIRE, StoreFault.callHeld(gate));
    // A store on several servers may wake it more than once, so a request may just have been sent.
    Await.until(
        "the waiter does not ask, or is held back",
        () -> gate.isReached() || faults.count(Op.ACQUIRE) == answers.get());
    Await.value(rival.release(holder));
    gate.awaitReached();
    LeaseKey next = key(holder.name());
    if (promises(Guarantee.FAIR)) {
      // No request can overtake the waiter in line, so another owner is written directly to the
      // store.
      view().put(holder.name(), next.token(), LONG);
    } else {
      // Granted at once, or after the reservation for the woken waiter has ended.
      Await.until(
          "the rival is granted what is free",
          () -> ask(rival, next, LONG) instanceof AcquireResult.Granted);
    }
    int before = answers.get();
    faults.clear();
    gate.open();
    Await.until("the waiter is refused", () -> answers.get() > before);
    return next;
  }

  // ---- WA-4 ----

  @Rule(value = "WA-4", shows = "the lock is held", needs = Need.VIEW)
  void interruptEndsTheWait() throws Exception {
    Lease held = fixed(name, LONG).acquire();
    String value = view().look(name).orElseThrow().value();
    DistributedLock lock = fixed(name, LONG);
    List<Check.Action> waits =
        List.of(
            lock::acquire, () -> lock.tryAcquire(PATIENT), () -> lock.asLock().lockInterruptibly());
    for (Check.Action wait : waits) {
      Runnable interrupt = interruptible(wait);
      awaitWaiting(name, 1);
      Check.atMost(SLACK, took(interrupt::run), "ending by an interrupt");
      Await.until("its place is given up", () -> view().hasWaiting(name, 0));
    }
    Check.equal(value, view().look(name).orElseThrow().value(), "the holder's value");
    held.release();
    Await.pass(TimeScale.millis(100)); // during which the interrupted waiter must not take it
    Check.that(view().look(name).isEmpty(), "none of those that were interrupted took the lock");
  }

  @Rule(
      value = "WA-4",
      shows = "the grant is on its way",
      needs = {Need.STORE, Need.VIEW})
  void interruptBeforeTheGrant() throws Exception {
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.answerHeld(gate));
    DistributedLock lock = fixed(open(faults), name, LONG);
    Runnable interrupt = interruptible(() -> lock.tryAcquire(PATIENT));
    gate.awaitReached();
    interrupt.run(); // although the answer has not arrived
    gate.open();
    Await.until("the grant is released", () -> view().look(name).isEmpty());
  }
}
