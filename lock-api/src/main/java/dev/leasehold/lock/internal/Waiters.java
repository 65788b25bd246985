package dev.leasehold.lock.internal;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who waits here for a name that its cell is about: in a queue, whose head alone asks the store
 * (under FAIR each asks), or besides. What their attempts find out is told to this. Guarded by the
 * cell's mutex, under which all of it is called but {@link #listeningFor}.
 */
final class Waiters {
  /** How long this process stays back after it woke a waiter of another one. */
  private static final Duration COURTESY = Duration.ofMillis(1);

  private final LockCell cell;
  private final Timing time;
  private final Terms terms;
  private final Holds holds;
  private final boolean fair;
  private final Mutex turns;
  private final StoreOperations operations;
  private final LinkedHashSet<Acquisition> queue = new LinkedHashSet<>();
  private final Listening sharedListening;

  /** Those who don't queue: they ask once, or re-enter and need a longer lease. */
  private final LinkedHashSet<Acquisition> besides = new LinkedHashSet<>();

  private boolean courteous;

  /** Nobody waits. */
  Waiters(LockCell cell, Env env, StoreOperations operations, Mutex turns, boolean fair) {
    this.cell = cell;
    this.time = env.time();
    this.terms = env.terms();
    this.holds = cell.holds();
    this.fair = fair;
    this.turns = turns;
    this.operations = operations;
    this.sharedListening = new Listening(turns, operations::watch, this::wokenUp);
  }

  boolean isFair() {
    return fair;
  }

  boolean isEmpty() {
    return queue.isEmpty() && besides.isEmpty();
  }

  // ---- coming and going ----

  /** Takes one in, which may be served at once. */
  void enter(Acquisition acquisition) {
    letIn(acquisition, () -> arrive(acquisition));
  }

  /** By re-entry, if its owner has the lock. */
  private void letIn(Acquisition acquisition, Runnable otherwise) {
    try {
      if (!holds.reenter(acquisition)) {
        otherwise.run();
      }
    } catch (RuntimeException | Error e) {
      failed(acquisition, StoreCalls.typed(e));
    }
  }

  private void arrive(Acquisition acquisition) {
    if (acquisition.waits() && !acquisition.share.beside()) {
      acquisition.sawHolder = holds.isHeld();
      acquisition.queued = !holds.admits() || !queue.isEmpty();
      queue.add(acquisition);
      Acquisition head = head();
      if (fair) {
        acquisition.attempt.ask();
      } else if (head != null && acquisition.lacksEvidence()) {
        head.attempt.lookAgain();
      }
    } else if (holds.isHeld()) {
      decide(acquisition, Decision.REFUSED);
    } else {
      besides.add(acquisition);
      acquisition.attempt.ask();
    }
  }

  /** A re-entry waits for its lease to grow. */
  void grows(Acquisition acquisition, LeaseHandle handle, Duration wanted) {
    acquisition.growing = handle;
    besides.add(acquisition);
    cell.after(() -> cell.holdCalls().grow(acquisition, handle, wanted));
  }

  /** Decides a waiter's outcome, once. Under the mutex. */
  boolean decide(Acquisition acquisition, Decision how) {
    if (!acquisition.settle(how)) {
      return false;
    }
    queue.remove(acquisition);
    besides.remove(acquisition);
    if (acquisition.trail.isFollowed()) {
      acquisition.trail.decided(cell, acquisition.result(how, time.since(acquisition.arrived)));
    }
    cell.after(() -> acquisition.complete(how));
    return true;
  }

  /** Gives a place up: true if it had no outcome yet. Its future is left to the caller. */
  boolean giveUp(Acquisition acquisition) {
    return leave(acquisition, Decision.CANCELLED);
  }

  /** A timed one's time is up. Empty means contended, and nothing else. */
  void timeUp(Acquisition acquisition) {
    leave(
        acquisition,
        acquisition.sawHolder && acquisition.growing == null
            ? Decision.REFUSED
            : Decision.failed(cell.store().useless(acquisition.arrived)));
  }

  /** The same of one that waits at least for its first answer: whether it still waits. */
  boolean endsAtAnswer(Acquisition acquisition) {
    acquisition.endsAtAnswer = acquisition.lacksEvidence();
    boolean grows = acquisition.growing != null && !acquisition.isSettled();
    return acquisition.endsAtAnswer || grows;
  }

  private boolean leave(Acquisition acquisition, Decision how) {
    boolean left = decide(acquisition, how);
    if (left) {
      acquisition.attempt.cleanUp();
      LeaseHandle unused = acquisition.growing;
      if (unused != null) {
        cell.after(() -> cell.holdCalls().release(unused.entry()));
      }
    }
    return left;
  }

  // ---- what tells them that others have the name ----

  /** Whether one, or any for whom it asks, has heard of no holder since it came, and has to. */
  boolean lacksEvidence(Acquisition asker) {
    return anyLacksEvidence(asker, any -> true);
  }

  /** The same of those that are such. */
  boolean anyLacksEvidence(Acquisition asker, Predicate<Acquisition> such) {
    Predicate<Acquisition> lacks = Acquisition::lacksEvidence;
    return lacks.and(such).test(asker)
        || (asksForAll(asker) && queue.stream().anyMatch(lacks.and(such)));
  }

  /** The store said "held" to a question that was sent then. */
  void heardHeld(Acquisition asker, long sentAt) {
    List<Acquisition> told = asksForAll(asker) ? List.copyOf(queue) : List.of(asker);
    for (Acquisition one : told) {
      if (one.arrived - sentAt <= 0) {
        sawHolder(one);
      }
    }
  }

  private boolean asksForAll(Acquisition asker) {
    return !fair && head() == asker;
  }

  private void sawHolder(Acquisition one) {
    one.sawHolder = true;
    if (one.endsAtAnswer || !one.waits()) {
      contended(one);
    }
  }

  /** What an answer was about may be known now. */
  void reconsider() {
    Stream.concat(queue.stream(), besides.stream())
        .toList()
        .forEach(one -> one.attempt.reconsider());
  }

  /** All fail, since the manager is closed. */
  void failClosed() {
    List.copyOf(queue).forEach(this::failClosed);
    List.copyOf(besides).forEach(this::failClosed);
  }

  void failClosed(Acquisition acquisition) {
    failed(acquisition, Lifecycle.closedFailure());
  }

  // ---- the end of each turn ----

  /** Starts who is to ask next. */
  void settle() {
    while (!fair && holds.admits() && !queue.isEmpty() && !hasBegun(queue.iterator().next())) {
      // It failed before it could ask: the next one.
    }
    if (queue.isEmpty()) {
      courteous = false;
      if (holds.isVacant()) {
        sharedListening.close(); // not before: threads that take turns would open it each time
      }
    }
  }

  private boolean hasBegun(Acquisition head) {
    if (head.attempt.isIdle()) {
      Attempt left = cell.leftovers().questionFor(head);
      if (left != null) {
        left.goOnFor(head);
      } else if (courteous) {
        head.attempt.pause(COURTESY);
      } else {
        head.attempt.ask();
      }
    }
    courteous = false;
    return !head.isSettled();
  }

  // ---- what attempts ask and report ----

  /** The watch that a waiter listens with: one for all, or under FAIR one for each. */
  Listening listeningFor(Attempt attempt) {
    return fair ? new Listening(turns, operations::watch, attempt::woken) : sharedListening;
  }

  boolean mayAsk(Acquisition acquisition) {
    return fair
        || !acquisition.waits()
        || acquisition.share.beside()
        || (holds.admits() && head() == acquisition);
  }

  /** The waiter that asks for all, if not each asks for itself. */
  private @Nullable Acquisition head() {
    return queue.isEmpty() ? null : queue.iterator().next();
  }

  private void wokenUp() {
    Acquisition head = head();
    if (head != null) {
      head.attempt.woken();
    }
  }

  /** Whether a grant is older than the one that is held here. */
  boolean isStale(RemoteLease lease) {
    return holds.supersedes(lease);
  }

  void granted(Acquisition acquisition, RemoteLease lease) {
    take(acquisition, lease, Outcome.GRANTED, () -> holds.granted(acquisition, lease));
    holds.joining().letJoin(queue);
  }

  /** A waiter's hold begins; where it can't, whatever is thrown, nobody keeps the lease. */
  void take(Acquisition acquisition, RemoteLease lease, Outcome how, Supplier<Lease> begin) {
    try {
      decide(acquisition, Decision.has(how, begin.get()));
      acquisition.attempt.servedOtherwise(head());
    } catch (RuntimeException | Error e) {
      holds.undo(lease, acquisition.owner);
      failed(acquisition, StoreCalls.typed(e));
      return;
    }
    letIn(acquisition.owner);
    if (holds.isHeld()) {
      List.copyOf(queue).forEach(this::sawHolder);
    }
  }

  /** Lets an owner's other waiters in: behind its own hold they would wait for themselves. */
  private void letIn(Object owner) {
    for (Acquisition other : List.copyOf(queue)) {
      if (other.owner == owner) {
        letIn(other, () -> {});
        if (other.isServed()) {
          queue.remove(other);
          other.attempt.cleanUp();
        }
      }
    }
  }

  private void contended(Acquisition acquisition) {
    letIn(acquisition, () -> leave(acquisition, Decision.REFUSED));
  }

  void failed(Acquisition acquisition, LockException failure) {
    leave(acquisition, Decision.failed(failure));
  }

  /** Fails those who have waited without bound for a store that was of no use for too long. */
  void failOutOfPatience(LockException failure) {
    Stream.concat(queue.stream(), besides.stream())
        .filter(who -> cell.store().isPast(who, terms.storeTimeout()))
        .toList()
        .forEach(who -> failed(who, failure));
  }

  // ---- what the holds need of the queue ----

  /** The waiter that a lease may pass to inside this process, if any. */
  @Nullable Acquisition successor(RemoteLease lease) {
    Acquisition next = fair || cell.isClosing() ? null : head();
    return next != null && lease.mayPassTo(next) ? next : null;
  }

  /**
   * How many numbers a grant to this one should have for hand-overs: none where nobody else was
   * seen here, so that the lock which one thread at a time uses is no more work for the store.
   */
  int handOversAfter(Acquisition acquisition) {
    boolean crowded = acquisition.queued || queue.size() > (queue.contains(acquisition) ? 1 : 0);
    return fair || !crowded || !acquisition.options.atLeast().isZero()
        ? 0
        : acquisition.options.handOver().times();
  }

  /** A waiter of another process was woken: it goes first. */
  void beCourteous() {
    courteous = true;
  }
}
