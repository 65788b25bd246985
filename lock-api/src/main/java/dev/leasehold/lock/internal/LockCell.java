package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that one manager knows of one name: who waits for it here, and ({@link Holding}) who holds
 * it.
 *
 * <p>One mutex guards it. Nothing goes out under the mutex: store calls, completions and timers'
 * work are put down with {@link #after} and run once it is free. Each step ends in {@link #settle},
 * which starts the one contender that this process has on the store.
 */
final class LockCell {
  /** How long this process stays back after it woke a waiter of another one. */
  private static final Duration COURTESY = Duration.ofMillis(1);

  private final String name;
  private final Env env;
  private final Consumer<LockCell> onIdle;
  private final ReentrantLock mutex = new ReentrantLock();
  private final boolean fair;
  private final LinkedHashSet<Waiter> queue = new LinkedHashSet<>();
  private final Holding holding;
  private final Listening sharedListening;
  private List<Runnable> outgoing = new ArrayList<>(2);

  /** Attempts of those that ask once and don't queue. */
  private int passersBy;

  private boolean courteous;
  private boolean dead;
  private boolean closed;

  // What the store said of late.
  private @Nullable LockException trouble;
  private long troubledSince;
  private boolean everAnswered;
  private long answeredAt;

  LockCell(String name, Env env, Consumer<LockCell> onIdle) {
    this.name = name;
    this.env = env;
    this.onIdle = onIdle;
    this.fair = env.promises(Guarantee.FAIR);
    this.holding = new Holding(this, env);
    this.sharedListening = new Listening(this, env, this::wokenUp);
  }

  String name() {
    return name;
  }

  boolean isFair() {
    return fair;
  }

  long now() {
    return env.now();
  }

  // ---- the mutex ----

  /** Runs a step under the mutex, and what it put down when the mutex is free. */
  void locked(Runnable step) {
    locked(step, Runnable::run);
  }

  /** As {@link #locked(Runnable)}; what it put down runs where it is told to. */
  void locked(Runnable step, Executor where) {
    mutex.lock();
    List<Runnable> todo;
    try {
      step.run();
    } finally {
      todo = settle();
      mutex.unlock();
    }
    if (!todo.isEmpty()) {
      where.execute(() -> todo.forEach(Runnable::run));
    }
  }

  <T> T computed(Supplier<T> step) {
    List<T> result = new ArrayList<>(1);
    locked(() -> result.add(step.get()));
    return result.get(0);
  }

  /** Puts down what is to be done when the mutex is free. Under the mutex only. */
  void after(Runnable outward) {
    outgoing.add(outward);
  }

  private List<Runnable> settle() {
    if (!fair && holding.isVacant() && !queue.isEmpty()) {
      Waiter head = queue.iterator().next();
      if (head.attempt.isIdle()) {
        if (courteous) {
          head.attempt.pause(COURTESY);
        } else {
          head.attempt.ask();
        }
      }
      courteous = false;
    }
    if (queue.isEmpty()) {
      sharedListening.close();
      courteous = false;
      if (passersBy == 0 && holding.isForgotten() && !dead) {
        dead = true;
        onIdle.accept(this);
      }
    }
    List<Runnable> todo = outgoing;
    if (todo.isEmpty()) {
      return List.of();
    }
    outgoing = new ArrayList<>(2);
    return todo;
  }

  // ---- coming and going of waiters ----

  /** A waiter of this cell. */
  Waiter waiter(Object owner, LockOptions options, Waiter.Patience patience) {
    return new Waiter(this, env, owner, options, patience);
  }

  /** The watch that a waiter listens with: one for all, or under FAIR one for each. */
  Listening listeningFor(Attempt attempt) {
    return fair ? new Listening(this, env, attempt::woken) : sharedListening;
  }

  /** Takes a waiter in; false if this cell is dead and its map has, or gets, another. */
  boolean enter(Waiter waiter) {
    return computed(
        () -> {
          if (dead) {
            return false;
          }
          if (closed) {
            decide(waiter, () -> waiter.fail(closedFailure()));
          } else if (!holding.reenter(waiter)) {
            arrive(waiter);
          }
          return true;
        });
  }

  private void arrive(Waiter waiter) {
    if (waiter.waits()) {
      queue.add(waiter);
      if (fair) {
        waiter.attempt.ask();
      }
    } else if (holding.isHeld()) {
      decide(waiter, () -> waiter.outcome.complete(Optional.empty()));
    } else {
      passersBy++;
      waiter.passesBy = true;
      waiter.attempt.ask();
    }
  }

  /** Decides a waiter's outcome, once. Under the mutex. */
  boolean decide(Waiter waiter, Runnable completion) {
    if (!waiter.settle()) {
      return false;
    }
    queue.remove(waiter);
    if (waiter.passesBy) {
      passersBy--;
    }
    after(completion);
    return true;
  }

  /** Gives a waiter's place up: true if it had no outcome yet. Its future is left to the caller. */
  boolean giveUp(Waiter waiter) {
    return computed(() -> leave(waiter, () -> {}));
  }

  /** A timed waiter's time is up. */
  void timeUp(Waiter waiter) {
    locked(() -> leave(waiter, timeUpOutcome(waiter)));
  }

  private boolean leave(Waiter waiter, Runnable completion) {
    boolean left = decide(waiter, completion);
    if (left) {
      waiter.attempt.cleanUp();
    }
    return left;
  }

  /** Empty means contended, and nothing else. */
  private Runnable timeUpOutcome(Waiter waiter) {
    LockException failure = trouble;
    Duration waited = env.since(waiter.arrived);
    if (!holding.isHeld() && failure != null) {
      String message = "the store was of no use for " + waited + ": " + failure.getMessage();
      Kind kind = failure instanceof LockStoreException store ? store.kind() : Kind.UNAVAILABLE;
      return () -> waiter.fail(new LockStoreException(kind, message, failure));
    }
    boolean answered = everAnswered && answeredAt - waiter.arrived >= 0;
    Attempt asking = (fair || queue.isEmpty() ? waiter : queue.iterator().next()).attempt;
    // No answer is due while the one that asks for all pauses, or if it has only just begun to ask.
    boolean due = !holding.isVacant() || asking.isUnansweredFor(waited.dividedBy(2));
    if (!holding.isHeld() && !answered && due) {
      String message = "the store did not answer within the wait of " + waited;
      return () -> waiter.fail(new LockStoreException(Kind.TIMED_OUT, message));
    }
    return () -> waiter.outcome.complete(Optional.empty());
  }

  // ---- what attempts report; under the mutex ----

  boolean mayAsk(Waiter waiter) {
    return fair
        || !waiter.waits()
        || (holding.isVacant() && !queue.isEmpty() && queue.iterator().next() == waiter);
  }

  private void wokenUp() {
    if (!queue.isEmpty()) {
      queue.iterator().next().attempt.woken();
    }
  }

  /** The store gave a usable answer. */
  void answered() {
    trouble = null;
    everAnswered = true;
    answeredAt = env.now();
  }

  /** The store failed, in a call that was sent then. */
  void troubled(LockException failure, long sentAt) {
    if (trouble == null) {
      troubledSince = sentAt;
    }
    trouble = failure;
  }

  /** Whether a grant is older than the one that is held here. */
  boolean isStale(RemoteLease lease) {
    return holding.supersedes(lease);
  }

  void granted(Waiter waiter, RemoteLease lease) {
    Lease[] handle = new Lease[1];
    decide(waiter, () -> waiter.outcome.complete(Optional.of(handle[0])));
    waiter.attempt.cleanUp();
    handle[0] = holding.granted(waiter, lease);
  }

  void contended(Waiter waiter) {
    leave(waiter, () -> waiter.outcome.complete(Optional.empty()));
  }

  void failed(Waiter waiter, LockException failure) {
    leave(waiter, () -> waiter.fail(failure));
  }

  /** Fails those who have waited without bound for a store that was of no use for too long. */
  void failOutOfPatience(LockException failure) {
    for (Waiter waiter : List.copyOf(queue)) {
      long since = waiter.arrived - troubledSince > 0 ? waiter.arrived : troubledSince;
      if (waiter.patience == Waiter.Patience.UNBOUNDED
          && env.since(since).compareTo(env.storeTimeout()) >= 0) {
        failed(waiter, failure);
      }
    }
  }

  // ---- what the holding needs of the queue; under the mutex ----

  /** The waiter that a lease may pass to inside this process, if any. */
  @Nullable Waiter successor(RemoteLease lease) {
    if (fair || closed || queue.isEmpty()) {
      return null;
    }
    Waiter next = queue.iterator().next();
    HandOver bound = next.options.handOver();
    return lease.handOvers < bound.times()
            && env.since(lease.grantedAt).compareTo(bound.within()) <= 0
        ? next
        : null;
  }

  /** A waiter of another process was woken: it goes first. */
  void beCourteous() {
    courteous = true;
  }

  // ---- what handles and views call ----

  Holding holding() {
    return holding;
  }

  CompletableFuture<Void> release(LeaseHandle handle) {
    return computed(() -> holding.release(handle));
  }

  CompletableFuture<Boolean> extend(LeaseHandle handle, Duration lease) {
    Hold hold = handle.hold();
    if (!handle.isValid()) {
      return CompletableFuture.completedFuture(false);
    }
    return hold.deadline() - env.now() >= lease.toNanos()
        ? CompletableFuture.completedFuture(true)
        : holding.prolong(hold, Drift.ttlFor(lease));
  }

  int count(Hold hold) {
    return computed(hold.handles::size);
  }

  CompletableFuture<LeaseLoss> lossOf(LeaseHandle handle) {
    return computed(
        () -> {
          CompletableFuture<LeaseLoss> signal = handle.signal();
          LeaseLoss loss = handle.hold().loss();
          if (loss != null && !handle.isReleased()) {
            env.events().run(() -> signal.complete(loss));
          }
          return signal;
        });
  }

  /** Why a handle that is not valid is not. */
  LeaseLoss whyInvalid(LeaseHandle handle) {
    return computed(
        () -> {
          holding.expireIfPast();
          LeaseLoss loss = handle.hold().loss();
          return loss != null
              ? loss
              : new LeaseLoss(name, LeaseLoss.Reason.NOT_OWNER, "this handle was released before");
        });
  }

  /** The latest handle that a thread took through a view. */
  Optional<LeaseHandle> viewed(Thread thread) {
    return computed(
        () -> {
          Hold hold = holding.of(thread);
          return Optional.ofNullable(hold == null ? null : hold.viewed.peek());
        });
  }

  <T> CompletableFuture<T> callerRuns(Supplier<CompletableFuture<T>> call) {
    return env.callerRuns().here(call);
  }

  /** A future of its own whose dependents run on the executor. */
  <T> CompletableFuture<T> onExecutor(CompletableFuture<T> inner) {
    return env.events().handOut(inner);
  }

  // ---- closing ----

  /** Fails waiters and signals the hold as lost; completes when the hold's handles are gone. */
  CompletableFuture<Void> close() {
    return computed(
        () -> {
          closed = true;
          for (Waiter waiter : List.copyOf(queue)) {
            failed(waiter, closedFailure());
          }
          return holding.close(
              new LeaseLoss(name, LeaseLoss.Reason.CLOSED, "the lock manager was closed"));
        });
  }

  private static LockManagerClosedException closedFailure() {
    return new LockManagerClosedException("the lock manager is closed");
  }
}
