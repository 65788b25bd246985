package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The words in which rules are written: to take locks and wait for them, to let time pass, to call
 * a bare store, and to check what came of it. Themes whose rules need further words extend it once
 * more, such as {@link SemaphoreSteps}.
 */
abstract class Steps extends Environment {
  /**
   * Longer than a rule may take: nothing of this length ends, so no expiry stands in for an act.
   */
  static final Duration LONG = TimeScale.seconds(60);

  /** Allowed delay of a waiter or a signal, including a busy machine. */
  static final Duration SLACK = TimeScale.seconds(3);

  /** After so many inconclusive rounds the machine is not to blame. */
  static final int MOST_ROUNDS = 20;

  private static final Duration VISIT = Duration.ofMillis(2);
  private static final int TRIES = 5;
  private static final Duration PAUSE = TimeScale.millis(200);
  private static final Duration LATEST = TimeScale.seconds(10);

  // ---- waiting and time ----

  /** An acquisition of a lock by an owner of its own, which waits. */
  static CompletableFuture<Lease> asking(DistributedLock lock) {
    return lock.acquireAsync().toCompletableFuture();
  }

  /** An acquisition that waits, and is released as soon as it is granted. */
  static CompletableFuture<Void> turn(DistributedLock lock) {
    return lock.acquireAsync().thenCompose(Lease::releaseAsync).toCompletableFuture();
  }

  /** Acquires and releases the lock, within ten seconds; returns the token of the hold. */
  static long tokenOf(DistributedLock lock) throws InterruptedException {
    try (Lease lease = lock.tryAcquire(LATEST).orElseThrow()) {
      return lease.fencingToken();
    }
  }

  static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  static Duration took(Check.Action action) {
    long begun = System.nanoTime();
    try {
      action.run();
    } catch (Exception e) {
      throw new AssertionError("it threw " + e, e);
    }
    return since(begun);
  }

  /** Waits until so many stand in line, as the store shows. */
  final void awaitInLine(String lockName, long waiters) {
    Await.until(waiters + " stand in line", () -> view().hasWaiting(lockName, waiters));
  }

  /** The same where there is a line; elsewhere waits until they have had time to ask. */
  final void awaitWaiting(String lockName, long waiters) {
    if (promises(Guarantee.WAKE_ONE)) {
      awaitInLine(lockName, waiters);
    } else {
      Await.pass(TimeScale.millis(200));
    }
  }

  /** Whether no call is made for a moment. */
  static boolean isQuiet(Faults faults) {
    int before = faults.count();
    Await.pass(TimeScale.millis(150));
    return faults.count() == before;
  }

  /** Calls a store no more: every call is lost, as after the death of its process. */
  static void die(Faults faults) {
    for (Op op : Op.values()) {
      faults.every(op, StoreFault.callLost());
    }
  }

  /** A round of a rule, or an attempt at one, which may prove nothing. */
  @FunctionalInterface
  interface Round {
    /** False if the round is inconclusive; throws if the rule is broken. */
    boolean counts() throws Exception;
  }

  /** Repeats a round that a stall of the machine may invalidate, until one counts. */
  static void untilOneCounts(Round round) throws Exception {
    untilOneCounts(
        MOST_ROUNDS, "in none of " + MOST_ROUNDS + " rounds was this machine fast enough", round);
  }

  /**
   * Repeats a round until one counts; fails with {@code otherwise} if none of {@code most} does.
   */
  static void untilOneCounts(int most, String otherwise, Round round) throws Exception {
    for (int i = 0; i < most; i++) {
      if (round.counts()) {
        return;
      }
    }
    throw new AssertionError(otherwise);
  }

  /** A trial of an operation that is disturbed at one moment; true if it was over by then. */
  @FunctionalInterface
  interface Trial {
    boolean isOver(Moment moment) throws Exception;
  }

  /** Tries an operation once for each moment between two of its commands. */
  final void atEachMoment(String operation, Trial trial) throws Exception {
    for (int sent = 0; sent < Moment.MOST; sent++) {
      if (trial.isOver(new Moment(bench, sent))) {
        Check.that(sent > 0, operation + " sends something");
        return;
      }
    }
    throw new AssertionError(operation + " sends more than " + Moment.MOST + " commands");
  }

  /** Stays inside a moment: long enough for another to come in where nothing keeps it out. */
  static void stay() {
    Await.pass(VISIT);
  }

  // ---- calls to a bare store ----

  static AcquireResult ask(LeaseStore store, LeaseKey key, Duration ttl) {
    return Await.value(asking(store, key, ttl));
  }

  static CompletableFuture<AcquireResult> asking(LeaseStore store, LeaseKey key, Duration ttl) {
    return store.acquire(new AcquireRequest(key, ttl, IfHeld.REFUSE)).toCompletableFuture();
  }

  /** Takes what is free, by a holder that may fall silent. */
  static void hold(LeaseStore store, LeaseKey key, Duration ttl) {
    AcquireResult answer = ask(store, key, ttl);
    Check.that(answer instanceof Granted, "a free lock is granted: " + answer);
  }

  static RenewResult renew(LeaseStore store, LeaseKey key, Duration ttl) {
    return Await.value(store.renew(List.of(new RenewRequest(key, ttl))).get(0));
  }

  // ---- a busy machine ----

  /**
   * Repeats a call that timed out, as the first calls of a new JVM on a busy machine may. A refusal
   * is not repeated.
   */
  static <T> T answered(Callable<T> question) throws Exception {
    for (int i = 1; i < TRIES; i++) {
      try {
        return question.call();
      } catch (LockStoreException notInTime) {
        Await.pass(PAUSE);
      }
    }
    return question.call();
  }

  /** The result of an attempt; a store that does not answer in time counts as a refusal. */
  static Optional<Lease> attempt(Attempt attempt) throws InterruptedException {
    try {
      return attempt.call();
    } catch (LockStoreException unanswered) {
      return Optional.empty();
    }
  }

  /** An attempt to take a lock. */
  @FunctionalInterface
  interface Attempt {
    Optional<Lease> call() throws InterruptedException;
  }

  static LockStoreException refused(LockManager manager, String lockName) {
    return Check.fails(
        LockStoreException.class, "an attempt", () -> manager.lock(lockName).tryAcquire());
  }

  /**
   * Repeats an attempt that must fail while it fails by a time-out: late nodes of a quorum give no
   * answer.
   */
  static LockStoreException refusedInTime(LockManager manager, String lockName) {
    long begun = System.nanoTime();
    LockStoreException failure = refused(manager, lockName);
    while (failure.kind() == Kind.TIMED_OUT && since(begun).compareTo(LATEST) < 0) {
      Await.pass(PAUSE);
      failure = refused(manager, lockName);
    }
    return failure;
  }

  /** Waits until the lock can be had. */
  static void works(LockManager manager, String lockName) {
    Await.until("locking works again", () -> attempt(() -> visit(manager, lockName)).isPresent());
  }

  private static Optional<Lease> visit(LockManager manager, String lockName) {
    Optional<Lease> lease = manager.lock(lockName).tryAcquire();
    lease.ifPresent(Lease::release);
    return lease;
  }

  // ---- checks ----

  /** Whether an attempt was refused; what was granted is released. */
  static boolean isEmpty(Optional<Lease> taken) {
    taken.ifPresent(Lease::release);
    return taken.isEmpty();
  }

  /** Checks that an attempt was granted, and releases the lease. */
  static void taken(Optional<Lease> lease, String claim) {
    Check.that(lease.isPresent(), claim);
    lease.ifPresent(Lease::release);
  }

  /** Counts the signals of a lease's loss. */
  static AtomicInteger losses(Lease lease) {
    AtomicInteger told = new AtomicInteger();
    lease.lost().thenAccept(loss -> told.incrementAndGet());
    return told;
  }

  /** A listener that counts refusals. */
  static LockListener refusals(AtomicInteger count) {
    return event -> {
      if (event instanceof LockEvent.Contended) {
        count.incrementAndGet();
      }
    };
  }

  /** Checks that a call is refused by a message that contains these parts. */
  static <E extends RuntimeException> void fails(
      Class<E> type, String what, Check.Action call, Object... parts) {
    String words = String.valueOf(Check.fails(type, what, call).getMessage());
    for (Object part : parts) {
      Check.that(
          words.contains(String.valueOf(part)),
          "the refusal of " + what + " names '" + part + "': " + words);
    }
  }

  /** Checks that a lease is over, and that each use of it says so. */
  static void checkLost(Lease lease) {
    Check.that(!lease.isValid(), "it is not valid any more");
    Check.equal(Duration.ZERO, lease.remaining(), "what remains");
    Check.fails(LeaseLostException.class, "ensureValid", lease::ensureValid);
  }

  static void checkNoLoss(List<LockEvent> events) {
    Check.that(
        events.stream().noneMatch(LockEvent.Lost.class::isInstance),
        "no loss is signalled: " + events);
  }

  /** A single attempt. A quorum may refuse by an exception, when the outcome is unknown. */
  static boolean isGranted(Attempt attempt) throws InterruptedException {
    try {
      return attempt.call().filter(Lease::isValid).isPresent();
    } catch (LockException noQuorum) {
      return false;
    }
  }

  /**
   * Whether a manager on which a name was used as another kind grants a lock of that name too: on
   * another client's key format, names of different kinds may not be independent. If it refuses,
   * its message must contain the name.
   */
  static boolean canBeLockToo(LockManager manager, String lockName) {
    try {
      manager.lock(lockName);
      return true;
    } catch (LockConfigurationException refused) {
      String words = String.valueOf(refused.getMessage());
      Check.that(words.contains(lockName), "the refusal names the lock: " + words);
      return false;
    }
  }
}
