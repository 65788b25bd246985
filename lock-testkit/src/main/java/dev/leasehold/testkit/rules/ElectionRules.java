package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.Resignation;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.rules.Candidates.Candidate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

final class ElectionRules extends Steps {
  private static final Duration BRIEF = TimeScale.millis(400);

  /** Long enough for a second leader to be elected, if that is possible. */
  private static final Duration OTHERS_COME = TimeScale.millis(700);

  /** Allowed delay of a signal on a busy machine, and of a poll after a release. */
  private static final Duration LATE = TimeScale.seconds(5);

  /** The message of the exception that the callback throws, looked for in the log. */
  private static final String TROUBLE = "the kit's callback throws";

  // ---- EL-1 ----

  @Rule(value = "EL-1", shows = "several on one manager, and one on another")
  void oneAtATime() {
    DistributedLock here = automatic(name, LONG);
    DistributedLock there = automatic(name, LONG);
    Candidates candidates = new Candidates(bench);
    Candidate first = candidates.stand(here);
    first.awaitTerms(1);
    List<Candidate> all = List.of(first, candidates.stand(here), candidates.stand(there));
    candidates.lookForOverlap(OTHERS_COME);
    for (int terms = 2; terms <= 4; terms++) {
      candidates.leader().giveUp();
      int count = terms;
      Await.until("there are " + terms + " terms", () -> candidates.terms() >= count);
    }
    all.forEach(Candidate::close);
    candidates.checkOneAtATime();
  }

  @Rule(value = "EL-1", shows = "leases that expire")
  void oneAtATimeAfterLosses() {
    Candidates candidates = new Candidates(bench);
    Candidate one = candidates.stand(fixed(name, BRIEF));
    Candidate other = candidates.stand(fixed(name, BRIEF));
    Await.until("there were three terms", () -> candidates.terms() >= 3);
    one.close();
    other.close();
    candidates.checkOneAtATime();
  }

  @Rule(value = "EL-1", shows = "the leader can be looked up")
  void whoLeads() {
    DistributedLock lock = automatic(freshName(), LONG);
    Candidate candidate = new Candidates(bench).stand(lock);
    candidate.awaitTerms(1);
    Check.equal(
        lock.inspect().orElseThrow().holder(),
        candidate.whoLeads().orElseThrow().holder(),
        "the leader's label");
    candidate.close();
  }

  // ---- EL-2 ----

  @Rule(value = "EL-2", shows = "each way in which a term ends")
  void toldOnce() {
    LockManager manager = open();
    Candidates candidates = new Candidates(bench);
    Candidate loses = candidates.stand(fixed(manager, freshName(), BRIEF));
    AtomicInteger terms = new AtomicInteger();
    Candidate resigns =
        new Candidates(bench)
            .stand(
                automatic(manager, freshName(), LONG),
                lease -> {
                  switch (terms.incrementAndGet()) {
                    case 1 -> throw new IllegalStateException(TROUBLE);
                    case 2 -> lease.release();
                    default -> {} // closed
                  }
                });
    loses.awaitTold(1);
    resigns.awaitTerms(3);
    Check.equal(2, resigns.told.size(), "how often it was notified in two terms");
    for (Candidate candidate : List.of(loses, resigns)) {
      candidate.close();
      candidate.checkToldOnce();
    }
    Check.that(
        loses.told.get(0) instanceof Resignation.Lost
            && resigns.told.get(0) instanceof Resignation.Failed
            && resigns.told.get(1) instanceof Resignation.GivenUp
            && resigns.told.get(2) instanceof Resignation.Closed,
        "it is given the reason: " + loses.told + resigns.told);
  }

  @Rule(value = "EL-2", shows = "a callback that throws when the lease is lost")
  void toldOnceOfTwoReasons() {
    Candidate candidate =
        new Candidates(bench)
            .stand(
                fixed(freshName(), BRIEF),
                lease -> {
                  Await.until("the lease is lost", () -> !lease.isValid());
                  throw new IllegalStateException(TROUBLE);
                });
    candidate.awaitTerms(2);
    candidate.close();
    candidate.checkToldOnce();
  }

  @Rule(value = "EL-2", shows = "a release that is answered late", needs = Need.STORE, timed = true)
  void releasedSlowly() {
    Gate gate = new Gate();
    Duration lease = BRIEF.multipliedBy(3); // long enough to be still valid when it is released
    Faults faults = new Faults().next(Op.RELEASE, StoreFault.answerHeld(gate));
    Candidate candidate =
        new Candidates(bench).stand(automatic(open(faults), freshName(), lease), Lease::release);
    try {
      candidate.awaitTold(1);
    } finally {
      gate.open();
    }
    Check.that(
        candidate.told.get(0) instanceof Resignation.GivenUp,
        "a leader that resigns has lost nothing: " + candidate.told);
    candidate.close();
    candidate.checkToldOnce();
  }

  // ---- EL-3 ----

  @Rule(value = "EL-3", shows = "a callback that throws")
  void throwing() {
    Candidates candidates = new Candidates(bench);
    CountDownLatch both = new CountDownLatch(1);
    AtomicLong thrown = new AtomicLong();
    Candidate candidate =
        candidates.stand(
            automatic(name, LONG),
            lease -> {
              await(both);
              thrown.set(System.nanoTime());
              throw new IllegalStateException(TROUBLE);
            });
    candidate.awaitTerms(1);
    Candidate next = candidates.stand(automatic(name, LONG));
    both.countDown();
    next.awaitTerms(1);
    Check.atMost(LATE, since(thrown.get()), "how long the next one waited for the lock");
    Check.that(candidate.told.get(0) instanceof Resignation.Failed, "it is given the reason");
    candidates.checkOneAtATime();
  }

  @Rule(value = "EL-3", shows = "a lease that is lost while the callback runs", timed = true)
  void lostMeanwhile() {
    LockManager manager = open();
    toldByDeadline(fixed(manager, freshName(), BRIEF));
  }

  @Rule(
      value = "EL-3",
      shows = "no renewal is answered, and the manager's executor is stuck",
      needs = Need.STORE,
      timed = true)
  void lostUnheard() {
    Faults faults = new Faults().every(Op.RENEW, StoreFault.callLost());
    LockManager manager = open(faults, b -> b.executor(task -> {}));
    toldByDeadline(automatic(manager, freshName(), BRIEF));
  }

  private void toldByDeadline(DistributedLock lock) {
    CountDownLatch end = new CountDownLatch(1);
    AtomicReference<Thread> worker = new AtomicReference<>();
    AtomicLong begun = new AtomicLong();
    Candidate candidate =
        new Candidates(bench)
            .stand(
                lock,
                lease -> {
                  worker.set(Thread.currentThread());
                  begun.set(System.nanoTime());
                  await(end);
                });
    candidate.awaitTerms(1);
    Await.until("its lease is lost", () -> !candidate.terms.get(0).isValid());
    long lost = System.nanoTime();
    // Waits longer than the rule allows, so that a signal sent only when the callback returns is
    // recognised as late.
    boolean toldInTime = toldWithin(candidate, LATE);
    end.countDown();
    Check.that(toldInTime, "it is notified while its callback runs");
    Check.atMost(LATE, Duration.ofNanos(candidate.toldAt - lost), "how late it is notified");
    Check.that(candidate.toldOn != worker.get(), "it is notified on another thread");
    Check.that(candidate.told.get(0) instanceof Resignation.Lost, "it is given the reason");
    candidate.close();
  }

  private static boolean toldWithin(Candidate candidate, Duration time) {
    long begun = System.nanoTime();
    while (candidate.told.isEmpty() && since(begun).compareTo(time) < 0) {
      Await.pass(Duration.ofMillis(5));
    }
    return !candidate.told.isEmpty();
  }

  // ---- EL-4 ----

  @Rule(value = "EL-4", shows = "a leader closes")
  void closed() {
    Candidates candidates = new Candidates(bench);
    Candidate leader = candidates.stand(automatic(name, LONG));
    leader.awaitTerms(1);
    Candidate next = candidates.stand(automatic(name, LONG));
    leader.close();
    Check.that(!leader.terms.get(0).isValid(), "the lease of the one before is over");
    Await.until("the next one is elected", LATE, () -> next.leads());
    candidates.checkOneAtATime();
  }

  @Rule(value = "EL-4", shows = "a waiting candidate closes, and is not elected later")
  void closedWhileWaiting() {
    Candidates candidates = new Candidates(bench);
    Candidate leader = candidates.stand(automatic(name, LONG));
    leader.awaitTerms(1);
    DistributedLock lock = automatic(name, LONG);
    candidates.stand(lock).close();
    Candidate waits = candidates.stand(lock);
    Await.pass(Duration.ofMillis(50)); // it is waiting by now
    waits.close();
    leader.close();
    Lease lease = Await.value(lock.tryAcquireAsync(LATE)).orElseThrow();
    Check.that(waits.terms.isEmpty(), "a closed candidate is not elected");
    lease.release();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(Await.patience().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
