package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.RequestSender;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.hold.Reentry;
import dev.leasehold.lock.internal.hold.Successors;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.PollingPace;
import dev.leasehold.lock.internal.name.WakeUps;
import dev.leasehold.lock.internal.threads.Lifecycle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The waiters for a name in this process. They wait in a queue, whose head alone asks the store
 * (under FAIR each asks), or beside it. Their loops report to this class. Guarded by the name's
 * mutex, under which every method is called.
 */
final class Waiters {
  final Monitor monitor;
  final Holds holds;
  final UnsettledTokens unsettled;

  /** How often to ask; null if the store wakes waiters. */
  final @Nullable PollingPace pace;

  private final HoldCalls holdCalls;
  private final StoreOperations operations;

  /** Whether each waiter asks the store for itself, instead of the head for all. */
  final boolean fair;

  private final WaiterList queue = new WaiterList();

  /** The waiters that don't queue: they ask once, or re-enter and need a longer lease. */
  private final WaiterList besides = new WaiterList();

  private final WakeUps sharedListening;
  private boolean courteous;

  /** Creates an empty queue. */
  Waiters(Monitor monitor, Holds holds, HoldCalls holdCalls) {
    KindServices services = monitor.services();
    this.monitor = monitor;
    this.holds = holds;
    this.holdCalls = holdCalls;
    this.operations = services.operations();
    this.pace = services.promises(Guarantee.WAKE_UP) ? null : new PollingPace();
    this.fair = services.promises(Guarantee.FAIR);
    this.unsettled = new UnsettledTokens(monitor, holds, operations.releases(), this::reconsider);
    this.sharedListening = new WakeUps(monitor, operations::watch, this::wokenUp);
  }

  /** Whether there are no waiters, and no cleanup on the store is pending. */
  boolean isEmpty() {
    return queue.isEmpty() && besides.isEmpty() && unsettled.isEmpty();
  }

  /** Returns whether this object can be dropped, and created anew for the next waiter. */
  boolean isIdle() {
    return isEmpty() && sharedListening.isClosed();
  }

  /** Returns all waiters now: those in the queue first. */
  private List<Waiter> all() {
    List<Waiter> all = queue.all();
    all.addAll(besides.all());
    return all;
  }

  /** Returns the waiters that this one asks for, including itself. */
  private List<Waiter> askedForBy(Waiter asker) {
    return !fair && queue.first() == asker ? queue.all() : List.of(asker);
  }

  // ---- waiters coming and leaving ----

  void enter(Waiter waiter, RequestSender sender) {
    waiter.loop = new AcquireLoop(this, sender, waiter);
    if (monitor.isClosing()) {
      failed(waiter, Lifecycle.closedFailure());
    } else {
      letIn(waiter, () -> arrive(waiter));
    }
  }

  /**
   * Serves the waiter from a hold of its owner or its process, if possible; else runs the action.
   */
  private void letIn(Waiter waiter, Runnable otherwise) {
    try {
      Reentry how = holds.reenter(waiter);
      if (how == null) {
        otherwise.run();
      } else {
        serve(waiter, how);
      }
    } catch (RuntimeException | Error e) {
      failed(waiter, StoreCalls.typed(e));
    }
  }

  private void serve(Waiter waiter, Reentry how) {
    if (how instanceof Reentry.Joins joins) {
      handOver(waiter, joins.lease());
    } else if (how instanceof Reentry.Grows grows) {
      grows(waiter, new LeaseHandle(holdCalls, grows.entry()), grows.wanted());
    } else if (how instanceof Reentry.Entered entered) {
      decide(waiter, Outcome.REENTERED, new LeaseHandle(holdCalls, entered.entry()), null);
    } else if (how instanceof Reentry.Refused refused) {
      decide(waiter, Outcome.FAILED, null, new LeaseLostException(refused.loss()));
    }
  }

  private void arrive(Waiter waiter) {
    if (waiter.waits() && !waiter.spec.beside()) {
      waiter.sawHolder = holds.isHeld();
      waiter.queued = !holds.admits() || !queue.isEmpty();
      queue.add(waiter);
      Waiter head = queue.first();
      if (fair) {
        waiter.loop.ask();
      } else if (head != null && waiter.lacksEvidence()) {
        head.loop.lookAgain();
      }
    } else if (holds.isHeld()) {
      decide(waiter, Outcome.REFUSED, null, null);
    } else {
      besides.add(waiter);
      waiter.loop.ask();
    }
  }

  /** Extends the lease for a re-entry, which waits for that. */
  private void grows(Waiter waiter, LeaseHandle handle, Duration wanted) {
    waiter.growing = handle;
    besides.add(waiter);
    monitor.after(() -> holdCalls.grow(handle.entry(), wanted, why -> grown(waiter, handle, why)));
  }

  private void grown(Waiter waiter, LeaseHandle handle, @Nullable LockException why) {
    if (why != null) {
      failed(waiter, why);
    } else {
      decide(waiter, Outcome.REENTERED, handle, null);
    }
  }

  /** Decides a waiter's outcome, once. Called under the mutex. */
  private boolean decide(
      Waiter waiter, Outcome how, @Nullable Lease lease, @Nullable LockException failure) {
    assert monitor.isHeld();
    if (!waiter.settle(how, lease, failure)) {
      return false;
    }
    WaiterList.remove(waiter);
    if (waiter.observers.isFollowed()) {
      Duration waited = monitor.time().since(waiter.arrived);
      waiter.observers.decided(monitor, waiter.result(how, waited));
    }
    monitor.after(waiter::complete);
    return true;
  }

  /** Ends the wait of a timed waiter. An empty result means contention, and nothing else. */
  void timeUp(Waiter waiter) {
    if (waiter.sawHolder && waiter.growing == null) {
      leave(waiter, Outcome.REFUSED, null);
    } else {
      failed(waiter, monitor.store().useless(waiter.arrived));
    }
  }

  /**
   * Ends the wait of a timed waiter that waits at least for its first answer. Returns whether it
   * still waits.
   */
  boolean endsAtAnswer(Waiter waiter) {
    waiter.endsAtAnswer = waiter.lacksEvidence();
    return waiter.endsAtAnswer || (waiter.growing != null && !waiter.isSettled());
  }

  /** Ends a waiter's wait, unless it has an outcome already. Returns whether it had none. */
  boolean leave(Waiter waiter, Outcome how, @Nullable LockException failure) {
    boolean left = decide(waiter, how, null, failure);
    if (left) {
      waiter.loop.cleanUp();
      LeaseHandle unused = waiter.growing;
      if (unused != null) {
        monitor.after(() -> holdCalls.release(unused.entry(), null));
      }
    }
    return left;
  }

  // ---- evidence of other holders ----

  /**
   * Returns whether this waiter, or any that it asks for, still needs evidence of a holder and has
   * had none since it came. Only waiters that match the predicate count.
   */
  boolean anyLacksEvidence(Waiter asker, Predicate<Waiter> such) {
    Predicate<Waiter> lacks = Waiter::lacksEvidence;
    return lacks.and(such).test(asker) || askedForBy(asker).stream().anyMatch(lacks.and(such));
  }

  /**
   * Records that the store answered "held" to a request that was sent at this time. It counts for
   * the waiters before the first one that came later, so that what shows a holder to one shows it
   * to all before; one that reached the queue late waits for the next answer.
   */
  void heardHeld(Waiter asker, long sentAt) {
    for (Waiter one : askedForBy(asker)) {
      if (one.arrived - sentAt > 0) {
        return;
      }
      sawHolder(one);
    }
  }

  private void sawHolder(Waiter one) {
    one.sawHolder = true;
    if (one.endsAtAnswer || !one.waits()) {
      letIn(one, () -> leave(one, Outcome.REFUSED, null));
    }
  }

  /** Lets the loops look at doubtful answers again. */
  void reconsider() {
    all().forEach(one -> one.loop.reconsider());
  }

  /** Fails all waiters because the manager is closed. */
  void failClosed() {
    all().forEach(one -> failed(one, Lifecycle.closedFailure()));
  }

  // ---- the end of each step ----

  /** Starts the next waiter's request. */
  void settle() {
    Waiter head = startingHead();
    while (head != null && !hasBegun(head)) {
      head = startingHead(); // it failed before it could ask: try the next
    }
    if (queue.isEmpty()) {
      courteous = false;
      if (holds.isVacant()) {
        sharedListening.close(); // not earlier: alternating threads would reopen it each time
      }
    }
  }

  private @Nullable Waiter startingHead() {
    return !fair && holds.admits() ? queue.first() : null;
  }

  private boolean hasBegun(Waiter head) {
    if (head.loop.isIdle()) {
      AcquireLoop left = unsettled.questionFor(head);
      if (left != null) {
        left.goOnFor(head);
      } else if (courteous) {
        head.loop.defer();
      } else {
        head.loop.ask();
      }
    }
    courteous = false;
    return !head.isSettled();
  }

  // ---- for acquire loops ----

  /** Returns the subscription that a loop listens on: shared by all loops, or its own. */
  WakeUps listeningFor(AcquireLoop loop) {
    return fair ? new WakeUps(monitor, operations::watch, loop::woken) : sharedListening;
  }

  /** Returns whether it is a waiter's turn to ask. */
  boolean mayAsk(Waiter waiter) {
    return fair
        || !waiter.waits()
        || waiter.spec.beside()
        || (holds.admits() && queue.first() == waiter);
  }

  private void wokenUp() {
    Waiter head = queue.first();
    if (head != null) {
      head.loop.woken();
    }
  }

  void granted(Waiter waiter, RemoteLease lease) {
    take(waiter, lease, Outcome.GRANTED, () -> holds.granted(waiter, lease));
    if (holds.areShared()) {
      letJoin();
    }
  }

  /** Lets the queued waiters join the lease that the head was granted. */
  private void letJoin() {
    for (Waiter waiter : queue.all()) {
      if (!waiter.isServed()) { // its owner may have been served by another of its waiters
        RemoteLease lease = holds.joins(waiter);
        if (lease != null) {
          handOver(waiter, lease);
        }
      }
    }
  }

  /** Begins a waiter's hold. If that fails, whatever is thrown, the lease is released. */
  private void take(Waiter waiter, RemoteLease lease, Outcome how, Supplier<HoldEntry> begin) {
    try {
      decide(waiter, how, new LeaseHandle(holdCalls, begin.get()), null);
      waiter.loop.servedOtherwise(queue.first());
    } catch (RuntimeException | Error e) {
      holds.undo(lease, waiter.owner);
      failed(waiter, StoreCalls.typed(e));
      return;
    }
    letIn(waiter.owner);
    if (holds.isHeld()) {
      (fair ? queue.all() : queue.lastWithoutHolder()).forEach(this::sawHolder);
    }
  }

  /** Serves an owner's other waiters, which would otherwise wait for their owner's own hold. */
  private void letIn(Object owner) {
    for (Waiter other : queue.of(owner)) {
      letIn(other, () -> {});
      if (other.isServed()) {
        other.loop.cleanUp();
      }
    }
  }

  void failed(Waiter waiter, LockException failure) {
    leave(waiter, Outcome.FAILED, failure);
  }

  /** Fails the waiters without a time limit for which the store has been unusable for too long. */
  void failOutOfPatience(LockException failure) {
    all().stream().filter(Waiter::isOutOfPatience).toList().forEach(who -> failed(who, failure));
  }

  // ---- for holds ----

  /** Implements {@link Successors#successor}. */
  @Nullable Waiter successor(RemoteLease lease) {
    Waiter next = fair || monitor.isClosing() ? null : queue.first();
    return next != null && lease.mayPassTo(next) ? next : null;
  }

  /**
   * Returns how many fencing numbers a grant to this waiter should reserve for hand-overs: zero if
   * no other waiter was seen here, so that a lock used by one thread at a time costs the store no
   * extra work.
   */
  int handOversAfter(Waiter waiter) {
    boolean crowded = waiter.queued || queue.hasOthersThan(waiter);
    return fair || !crowded || !waiter.options.atLeast().isZero()
        ? 0
        : waiter.options.handOver().times();
  }

  private void handOver(Waiter next, RemoteLease lease) {
    take(next, lease, Outcome.HANDED_OVER, () -> holds.begin(next, lease));
  }

  void handOver(RemoteLease lease) {
    handOver(Objects.requireNonNull(queue.first(), "named before"), lease);
  }

  /**
   * Implements {@link Successors#givenBack}; a waiter of another process that was woken goes first.
   */
  void givenBack(boolean wokeAnother) {
    unsettled.ours();
    courteous |= wokeAnother;
  }
}
