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
import dev.leasehold.testkit.server.StoreServer;
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

final class WaitingRules {
  /** No lease expires during a rule, so that an expiry cannot hide a missing wake-up. */
  private static final Duration LONG = TimeScale.seconds(60);

  private static final Duration WAIT = TimeScale.millis(300);
  private static final Duration PATIENT = TimeScale.seconds(9);
  private static final Duration SLACK = TimeScale.seconds(3);

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
  void endsByItsTime(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    LockManager manager = bench.site().open();
    manager.lock(bench.name()).acquire().release(); // connects
    DistributedLock lock = manager.lock(name, slowPauses());
    Duration wait = TimeScale.seconds(1); // long enough to be refused even on a slow machine
    CompletableFuture<Duration> blocking =
        bench.onThread(
            () -> took(() -> Check.that(lock.tryAcquire(wait).isEmpty(), "it is refused")));
    Duration async =
        took(() -> Check.that(Await.value(lock.tryAcquireAsync(wait)).isEmpty(), "it is refused"));
    for (Duration took : List.of(async, Await.value(blocking))) {
      Check.atLeast(wait.minusMillis(1), took, "a timed attempt at a held lock");
      Check.atMost(wait.plus(SLACK), took, "a timed attempt at a held lock");
    }
    Check.that(held.isValid(), "the holder was left alone");
  }

  // Catches an engine that mistakes a pause between two polls for a store that does not answer.
  @Rule(
      value = "WA-1",
      shows = "the lock is held, and others of the process wait for it",
      needs = Need.STORE)
  void endsByItsTimeBehindOthers(Bench bench) throws Exception {
    String name = bench.name();
    bench.fixed(bench.site().open(), name, LONG).acquire();
    Faults counted = new Faults();
    AtomicInteger answers = new AtomicInteger();
    LockManager manager = bench.site().open(counted, b -> b.listener(answersTo(answers)));
    DistributedLock lock = manager.lock(name, slowPauses());
    CompletableFuture<Lease> first = lock.acquireAsync().toCompletableFuture();
    // After its last refusal the first waiter pauses, and no request is in flight.
    int questions = bench.guarantees().contains(Guarantee.WAKE_UP) ? 2 : 1;
    Await.until("the first waits", () -> answers.get() >= questions);
    Check.that(lock.tryAcquire(WAIT).isEmpty(), "the second is refused");
    Check.that(Await.value(lock.tryAcquireAsync(WAIT)).isEmpty(), "a third is refused");
    first.cancel(true);
  }

  @Rule(value = "WA-1", shows = "the store never answers", needs = Need.STORE)
  void endsWithoutAnswers(Bench bench) throws Exception {
    Gate gate = new Gate();
    Faults faults = new Faults().every(Op.ACQUIRE, StoreFault.callHeld(gate));
    LockManager manager = bench.site().open(faults, b -> b.commandTimeout(COMMAND));
    checkEndsWithoutAnswers(manager.lock(bench.name()));
    gate.open();
  }

  @Rule(value = "WA-1", shows = "the server is stopped", needs = Need.PAUSE)
  void endsWithTheServerStopped(Bench bench) throws Exception {
    Site site = bench.ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(COMMAND));
    DistributedLock lock = manager.lock(bench.name());
    lock.acquire().release(); // connects
    String held = bench.name();
    bench.fixed(site.open(), held, LONG).acquire();
    // Another caller is in the middle of its wait when the server stops.
    CompletableFuture<Duration> early = timed(bench, manager.lock(held), TimeScale.seconds(1));
    StoreServer server = site.server();
    server.pause();
    try {
      checkEndsWithoutAnswers(lock);
      Check.atMost(TimeScale.seconds(1).plus(SLACK), Await.value(early), "the earlier attempt");
    } finally {
      server.resume();
    }
    lock.tryAcquire(PATIENT).orElseThrow().release();
  }

  @Rule(value = "WA-1", shows = "the server is gone", needs = Need.KILL)
  void endsWithTheServerGone(Bench bench) throws Exception {
    Site site = bench.ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(COMMAND));
    DistributedLock lock = manager.lock(bench.name());
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

  private static CompletableFuture<Duration> timed(
      Bench bench, DistributedLock lock, Duration wait) {
    return bench.onThread(
        () ->
            took(
                () -> {
                  try {
                    lock.tryAcquire(wait);
                  } catch (LockStoreException e) {
                    // also correct: the store did not answer at the end
                  }
                }));
  }

  private static Duration took(Check.Action action) {
    long begun = System.nanoTime();
    try {
      action.run();
    } catch (Exception e) {
      throw new AssertionError("it threw " + e, e);
    }
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  // ---- WA-2 ----

  @Rule(value = "WA-2", shows = "the message does not arrive", needs = Need.STORE)
  void lostMessage(Bench bench) throws Exception {
    checkAcquiresAnyway(bench, new Faults().loseWakeUps());
  }

  @Rule(value = "WA-2", shows = "listening never begins", needs = Need.STORE)
  void deafWaiter(Bench bench) throws Exception {
    checkAcquiresAnyway(bench, new Faults().every(Op.WATCH, StoreFault.callLost()));
  }

  private static void checkAcquiresAnyway(Bench bench, Faults faults) throws Exception {
    String name = bench.name();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    // The command time-out must not decide: it is longer than the delay allowed below.
    LockManager deaf = bench.site().open(faults, b -> b.commandTimeout(TimeScale.seconds(5)));
    CompletableFuture<Lease> waiting =
        bench.fixed(deaf, name, LONG).acquireAsync().toCompletableFuture();
    boolean listens = bench.guarantees().contains(Guarantee.WAKE_UP);
    // The first answer means that it is subscribed, the second that it is in the middle of its
    // wait.
    Await.until(
        "the waiter was refused",
        () -> listens ? faults.count(Op.WATCH) > 0 : faults.count(Op.ACQUIRE) > 1);
    held.release();
    long released = System.nanoTime();
    Await.value(waiting).release();
    Duration took = Duration.ofNanos(System.nanoTime() - released);
    // The longest pause, one second, plus 10 %.
    Check.atMost(TimeScale.millis(1100).plus(SLACK), took, "a waiter that no message woke");
  }

  @Rule(value = "WA-2", shows = "its connection breaks", needs = Need.REDIS)
  void brokenConnection(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    LockManager other = bench.site().open();
    CompletableFuture<Lease> waiting =
        bench.fixed(other, name, LONG).acquireAsync().toCompletableFuture();
    awaitInLine(bench, name, 1);
    // Subscriptions are cut, so that the release's message reaches no subscriber.
    bench.site().redis().call("CLIENT", "KILL", "TYPE", "pubsub");
    held.release();
    long released = System.nanoTime();
    Await.value(waiting).release();
    Duration took = Duration.ofNanos(System.nanoTime() - released);
    Check.atMost(TimeScale.seconds(2).plus(SLACK), took, "a waiter whose connection broke");
  }

  /** Where there is no line, waits until the waiter has had time to ask. */
  private static void awaitInLine(Bench bench, String name, long waiters) {
    if (bench.guarantees().contains(Guarantee.WAKE_ONE)) {
      Await.until("they stand in line", () -> bench.site().view().hasWaiting(name, waiters));
    } else {
      Await.pass(TimeScale.millis(100));
    }
  }

  // ---- WA-3 ----

  @Rule(value = "WA-3", needs = Need.STORE)
  void losersWaitOn(Bench bench) throws Exception {
    String name = bench.name();
    LeaseStore rival = bench.site().store();
    LeaseKey holder = bench.key(name);
    Check.that(taken(bench, rival, holder), "a free lock is granted");
    Faults faults = new Faults();
    AtomicInteger answers = new AtomicInteger();
    LockManager manager = bench.site().open(faults, b -> b.listener(answersTo(answers)));
    DistributedLock lock = bench.fixed(manager, name, LONG);
    CompletableFuture<Lease> patient = bench.onThread(() -> lock.tryAcquire(PATIENT).orElseThrow());
    for (int i = 0; i < 2; i++) {
      holder = stealInBetween(bench, rival, holder, faults, answers);
    }
    Check.that(!patient.isDone(), "it waits on after it lost the race twice");
    Await.value(rival.release(holder));
    Await.value(patient.thenCompose(Lease::releaseAsync));

    // The remaining time must not start anew as a whole wait either.
    holder = bench.key(name);
    Check.that(taken(bench, rival, holder), "a free lock is granted");
    Duration wait = TimeScale.seconds(2);
    CompletableFuture<Duration> timed =
        bench.onThread(
            () -> took(() -> Check.that(lock.tryAcquire(wait).isEmpty(), "it is refused")));
    stealInBetween(bench, rival, holder, faults, answers);
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
  private static LeaseKey stealInBetween(
      Bench bench, LeaseStore rival, LeaseKey holder, Faults faults, AtomicInteger answers)
      throws Exception {
    awaitInLine(bench, holder.name(), 1);
    Gate gate = new Gate();
    faults.every(Op.ACQUIRE, StoreFault.callHeld(gate));
    // A store on several servers may wake it more than once, so a request may just have been sent.
    Await.until(
        "the waiter does not ask, or is held back",
        () -> gate.isReached() || faults.count(Op.ACQUIRE) == answers.get());
    Await.value(rival.release(holder));
    gate.awaitReached();
    LeaseKey next = bench.key(holder.name());
    if (bench.guarantees().contains(Guarantee.FAIR)) {
      // No request can overtake the waiter in line, so another owner is written directly to the
      // store.
      bench.site().view().put(holder.name(), next.token(), LONG);
    } else {
      // Granted at once, or after the reservation for the woken waiter has ended.
      Await.until("the rival is granted what is free", () -> taken(bench, rival, next));
    }
    int before = answers.get();
    faults.clear();
    gate.open();
    Await.until("the waiter is refused", () -> answers.get() > before);
    return next;
  }

  private static boolean taken(Bench bench, LeaseStore store, LeaseKey key) {
    return bench.site().ask(store, key, LONG) instanceof AcquireResult.Granted;
  }

  // ---- WA-4 ----

  @Rule(value = "WA-4", shows = "the lock is held", needs = Need.VIEW)
  void interruptEndsTheWait(Bench bench) throws Exception {
    String name = bench.name();
    ServerView view = bench.site().view();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    String value = view.look(name).orElseThrow().value();
    DistributedLock lock = bench.fixed(bench.site().open(), name, LONG);
    List<Function<DistributedLock, Check.Action>> waits =
        List.of(
            l -> l::acquire,
            l -> () -> l.tryAcquire(PATIENT),
            l -> () -> l.asLock().lockInterruptibly());
    for (Function<DistributedLock, Check.Action> wait : waits) {
      Check.Action waiting = wait.apply(lock);
      CompletableFuture<InterruptedException> end = new CompletableFuture<>();
      Thread thread =
          bench.thread(() -> Check.fails(InterruptedException.class, "the wait", waiting), end);
      thread.start();
      awaitInLine(bench, name, 1);
      long begun = System.nanoTime();
      thread.interrupt();
      Await.value(end);
      Check.atMost(SLACK, Duration.ofNanos(System.nanoTime() - begun), "ending by an interrupt");
      Await.until("its place is given up", () -> view.hasWaiting(name, 0));
    }
    Check.equal(value, view.look(name).orElseThrow().value(), "the holder's value");
    held.release();
    Await.pass(TimeScale.millis(100)); // during which the interrupted waiter must not take it
    Check.that(view.look(name).isEmpty(), "none of those that were interrupted took the lock");
  }

  @Rule(
      value = "WA-4",
      shows = "the grant is on its way",
      needs = {Need.STORE, Need.VIEW})
  void interruptBeforeTheGrant(Bench bench) throws Exception {
    String name = bench.name();
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.answerHeld(gate));
    DistributedLock lock = bench.fixed(bench.site().open(faults), name, LONG);
    CompletableFuture<InterruptedException> end = new CompletableFuture<>();
    Thread thread =
        bench.thread(
            () ->
                Check.fails(InterruptedException.class, "the wait", () -> lock.tryAcquire(PATIENT)),
            end);
    thread.start();
    gate.awaitReached();
    thread.interrupt();
    Await.value(end); // although the answer has not arrived
    gate.open();
    Await.until("the grant is released", () -> bench.site().view().look(name).isEmpty());
  }
}
