package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.AcquisitionResult.Outcome;
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
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.PollingPace;
import dev.leasehold.lock.internal.name.WakeUps;
import dev.leasehold.lock.internal.threads.Lifecycle;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who waits here for a name that its cell is about: in a queue, whose head alone asks the store
 * (under FAIR each asks), or besides. What their attempts find out is told to this. Guarded by the
 * cell's mutex, under which all of it is called but {@link #listeningFor}.
 */
final class Waiters implements WaitQueue {
  private final Monitor monitor;
  private final Holds holds;
  private final HoldCalls holdCalls;
  private final Duration storeTimeout;
  private final StoreOperations operations;
  private final UnsettledTokens unsettled;

  /** How often to ask; null if the store wakes waiters. */
  private final @Nullable PollingPace pace;

  private final WaiterList waiting;
  private final WakeUps sharedListening;
  private boolean courteous;

  /** Nobody waits. With {@code fair} each will ask for itself. */
  Waiters(
      Monitor monitor,
      Holds holds,
      HoldCalls holdCalls,
      StoreOperations operations,
      Duration storeTimeout,
      boolean fair,
      boolean wakes) {
    this.monitor = monitor;
    this.holds = holds;
    this.holdCalls = holdCalls;
    this.operations = operations;
    this.storeTimeout = storeTimeout;
    this.pace = wakes ? null : new PollingPace();
    this.waiting = new WaiterList(fair);
    this.unsettled =
        new UnsettledTokens(monitor, holds.releases(), operations.releases(), this::reconsider);
    this.sharedListening = new WakeUps(monitor.mutex(), operations::watch, this::wokenUp);
  }

  /** For one who is about to come. Not under the mutex. */
  AcquireLoop loop(RequestSender sender, Waiter waiter) {
    return new AcquireLoop(monitor, holds, unsettled, this, pace, sender, waiter);
  }

  @Override
  public boolean isFair() {
    return waiting.isFair();
  }

  /** Whether nobody waits, nor is anything left on the store by those who did. */
  boolean isEmpty() {
    return waiting.isEmpty() && unsettled.isEmpty();
  }

  // ---- coming and going ----

  /** Takes one in, which may be served at once. */
  void enter(Waiter waiter) {
    letIn(waiter, () -> arrive(waiter));
  }

  /** By what its owner or its process holds already, if that does. */
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
      grows(waiter, handle(grows.entry()), grows.wanted());
    } else if (how instanceof Reentry.Entered entered) {
      decide(waiter, Decision.has(Outcome.REENTERED, handle(entered.entry())));
    } else if (how instanceof Reentry.Refused refused) {
      decide(waiter, Decision.failed(new LeaseLostException(refused.loss())));
    }
  }

  private LeaseHandle handle(HoldEntry entry) {
    return new LeaseHandle(holdCalls, entry);
  }

  private void arrive(Waiter waiter) {
    if (waiter.waits() && !waiter.spec.beside()) {
      waiter.sawHolder = holds.isHeld();
      waiter.queued = !holds.admits() || waiting.hasQueue();
      waiting.queue(waiter);
      Waiter head = waiting.head();
      if (waiting.isFair()) {
        waiter.loop.ask();
      } else if (head != null && waiter.lacksEvidence()) {
        head.loop.lookAgain();
      }
    } else if (holds.isHeld()) {
      decide(waiter, Decision.REFUSED);
    } else {
      waiting.standBeside(waiter);
      waiter.loop.ask();
    }
  }

  /** A re-entry waits for its lease to grow. */
  private void grows(Waiter waiter, LeaseHandle handle, Duration wanted) {
    waiter.growing = handle;
    waiting.standBeside(waiter);
    monitor.after(() -> holdCalls.grow(handle.entry(), wanted, why -> grown(waiter, handle, why)));
  }

  private void grown(Waiter waiter, LeaseHandle handle, @Nullable LockException why) {
    if (why != null) {
      failed(waiter, why);
    } else {
      decide(waiter, Decision.has(Outcome.REENTERED, handle));
    }
  }

  /** Decides a waiter's outcome, once. Under the mutex. */
  boolean decide(Waiter waiter, Decision how) {
    if (!waiter.settle(how)) {
      return false;
    }
    waiting.remove(waiter);
    if (waiter.notifier.isFollowed()) {
      Duration waited = monitor.time().since(waiter.arrived);
      waiter.notifier.decided(monitor, waiter.result(how, waited));
    }
    monitor.after(() -> waiter.complete(how));
    return true;
  }

  /** Gives a place up: true if it had no outcome yet. Its future is left to the caller. */
  boolean giveUp(Waiter waiter) {
    return leave(waiter, Decision.CANCELLED);
  }

  /** A timed one's time is up. Empty means contended, and nothing else. */
  void timeUp(Waiter waiter) {
    leave(
        waiter,
        waiter.sawHolder && waiter.growing == null
            ? Decision.REFUSED
            : Decision.failed(monitor.store().useless(waiter.arrived)));
  }

  /** The same of one that waits at least for its first answer: whether it still waits. */
  boolean endsAtAnswer(Waiter waiter) {
    waiter.endsAtAnswer = waiter.lacksEvidence();
    boolean grows = waiter.growing != null && !waiter.isSettled();
    return waiter.endsAtAnswer || grows;
  }

  private boolean leave(Waiter waiter, Decision how) {
    boolean left = decide(waiter, how);
    if (left) {
      waiter.loop.cleanUp();
      LeaseHandle unused = waiter.growing;
      if (unused != null) {
        monitor.after(() -> holdCalls.release(unused.entry()));
      }
    }
    return left;
  }

  // ---- what tells them that others have the name ----

  @Override
  public boolean anyLacksEvidence(Waiter sender, Predicate<Waiter> such) {
    Predicate<Waiter> lacks = Waiter::lacksEvidence;
    return lacks.and(such).test(sender)
        || waiting.askedForBy(sender).stream().anyMatch(lacks.and(such));
  }

  @Override
  public void heardHeld(Waiter sender, long sentAt) {
    for (Waiter one : waiting.askedForBy(sender)) {
      if (one.arrived - sentAt <= 0) {
        sawHolder(one);
      }
    }
  }

  private void sawHolder(Waiter one) {
    one.sawHolder = true;
    if (one.endsAtAnswer || !one.waits()) {
      contended(one);
    }
  }

  /** What an answer was about may be known now. */
  void reconsider() {
    waiting.all().forEach(one -> one.loop.reconsider());
  }

  /** All fail, since the manager is closed. */
  void failClosed() {
    waiting.all().forEach(one -> failed(one, Lifecycle.closedFailure()));
  }

  // ---- the end of each turn ----

  /** Starts who is to ask next. */
  void settle() {
    Waiter head = startingHead();
    while (head != null && !hasBegun(head)) {
      head = startingHead(); // it failed before it could ask: the next one
    }
    if (!waiting.hasQueue()) {
      courteous = false;
      if (holds.isVacant()) {
        sharedListening.close(); // not before: threads that take turns would open it each time
      }
    }
  }

  private @Nullable Waiter startingHead() {
    return !waiting.isFair() && holds.admits() ? waiting.head() : null;
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

  // ---- what attempts ask and report ----

  @Override
  public WakeUps listeningFor(AcquireLoop loop) {
    return waiting.isFair()
        ? new WakeUps(monitor.mutex(), operations::watch, loop::woken)
        : sharedListening;
  }

  @Override
  public boolean mayAsk(Waiter waiter) {
    return waiting.isFair()
        || !waiter.waits()
        || waiter.spec.beside()
        || (holds.admits() && waiting.head() == waiter);
  }

  private void wokenUp() {
    Waiter head = waiting.head();
    if (head != null) {
      head.loop.woken();
    }
  }

  @Override
  public void granted(Waiter waiter, RemoteLease lease) {
    take(waiter, lease, Outcome.GRANTED, () -> holds.granted(waiter, lease));
    if (holds.areShared()) {
      letJoin();
    }
  }

  /** Those who waited while one asked for all. */
  private void letJoin() {
    for (Waiter waiter : waiting.queued()) {
      if (!waiter.isServed()) { // its owner may have come in by another of its waiters
        RemoteLease lease = holds.sharedLeases().joins(waiter);
        if (lease != null) {
          handOver(waiter, lease);
        }
      }
    }
  }

  /** A waiter's hold begins; where it can't, whatever is thrown, nobody keeps the lease. */
  private void take(Waiter waiter, RemoteLease lease, Outcome how, Supplier<HoldEntry> begin) {
    try {
      decide(waiter, Decision.has(how, handle(begin.get())));
      waiter.loop.servedOtherwise(waiting.head());
    } catch (RuntimeException | Error e) {
      holds.undo(lease, waiter.owner);
      failed(waiter, StoreCalls.typed(e));
      return;
    }
    letIn(waiter.owner);
    if (holds.isHeld()) {
      waiting.queued().forEach(this::sawHolder);
    }
  }

  /** Lets an owner's other waiters in: behind its own hold they would wait for themselves. */
  private void letIn(Object owner) {
    for (Waiter other : waiting.queued()) {
      if (other.owner == owner) {
        letIn(other, () -> {});
        if (other.isServed()) {
          waiting.leaveQueue(other);
          other.loop.cleanUp();
        }
      }
    }
  }

  private void contended(Waiter waiter) {
    letIn(waiter, () -> leave(waiter, Decision.REFUSED));
  }

  @Override
  public void failed(Waiter waiter, LockException failure) {
    leave(waiter, Decision.failed(failure));
  }

  @Override
  public void failOutOfPatience(LockException failure) {
    waiting.all().stream()
        .filter(who -> who.isOutOfPatience(monitor.store(), storeTimeout))
        .toList()
        .forEach(who -> failed(who, failure));
  }

  // ---- what the holds need of the queue ----

  /** As {@link Successors#successor}. */
  @Nullable Waiter successor(RemoteLease lease) {
    Waiter next = waiting.isFair() || monitor.isClosing() ? null : waiting.head();
    return next != null && lease.mayPassTo(next) ? next : null;
  }

  /**
   * None where nobody else was seen here, so that the lock which one thread at a time uses is no
   * more work for the store.
   */
  @Override
  public int handOversAfter(Waiter waiter) {
    boolean crowded = waiter.queued || waiting.hasOthersThan(waiter);
    return waiting.isFair() || !crowded || !waiter.options.atLeast().isZero()
        ? 0
        : waiter.options.handOver().times();
  }

  private void handOver(Waiter next, RemoteLease lease) {
    take(next, lease, Outcome.HANDED_OVER, () -> holds.begin(next, lease));
  }

  void handOver(RemoteLease lease) {
    handOver(Objects.requireNonNull(waiting.head(), "named before"), lease);
  }

  /** As {@link Successors#givenBack}; a waiter of another process that was woken goes first. */
  void givenBack(boolean wokeAnother) {
    unsettled.ours();
    courteous |= wokeAnother;
  }
}
