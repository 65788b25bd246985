package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.Asker;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.hold.Entry;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.hold.Reentry;
import dev.leasehold.lock.internal.hold.Succession;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Listening;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.PollingPace;
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
  private final Leftovers leftovers;

  /** How often to ask where the store wakes nobody. */
  private final PollingPace pace = new PollingPace();

  private final Line line;
  private final Listening sharedListening;
  private boolean courteous;

  /** Nobody waits. With {@code fair} each will ask for itself. */
  Waiters(
      Monitor monitor,
      Holds holds,
      HoldCalls holdCalls,
      StoreOperations operations,
      Duration storeTimeout,
      boolean fair) {
    this.monitor = monitor;
    this.holds = holds;
    this.holdCalls = holdCalls;
    this.operations = operations;
    this.storeTimeout = storeTimeout;
    this.line = new Line(fair);
    this.leftovers =
        new Leftovers(monitor, holds.givingBack(), operations.releases(), this::reconsider);
    this.sharedListening = new Listening(monitor.mutex(), operations::watch, this::wokenUp);
  }

  /** For one who is about to come. Not under the mutex. */
  Attempt attempt(Asker asker, boolean wakes, Acquisition acquisition) {
    return new Attempt(monitor, holds, leftovers, this, pace, asker, wakes, acquisition);
  }

  @Override
  public boolean isFair() {
    return line.isFair();
  }

  /** Whether nobody waits, nor is anything left on the store by those who did. */
  boolean isEmpty() {
    return line.isEmpty() && leftovers.isEmpty();
  }

  // ---- coming and going ----

  /** Takes one in, which may be served at once. */
  void enter(Acquisition acquisition) {
    letIn(acquisition, () -> arrive(acquisition));
  }

  /** By what its owner or its process holds already, if that does. */
  private void letIn(Acquisition acquisition, Runnable otherwise) {
    try {
      Reentry how = holds.reenter(acquisition);
      if (how == null) {
        otherwise.run();
      } else {
        serve(acquisition, how);
      }
    } catch (RuntimeException | Error e) {
      failed(acquisition, StoreCalls.typed(e));
    }
  }

  private void serve(Acquisition acquisition, Reentry how) {
    if (how instanceof Reentry.Joins joins) {
      handOver(acquisition, joins.lease());
    } else if (how instanceof Reentry.Grows grows) {
      grows(acquisition, handle(grows.entry()), grows.wanted());
    } else if (how instanceof Reentry.Entered entered) {
      decide(acquisition, Decision.has(Outcome.REENTERED, handle(entered.entry())));
    } else if (how instanceof Reentry.Refused refused) {
      decide(acquisition, Decision.failed(new LeaseLostException(refused.loss())));
    }
  }

  private LeaseHandle handle(Entry entry) {
    return new LeaseHandle(holdCalls, entry);
  }

  private void arrive(Acquisition acquisition) {
    if (acquisition.waits() && !acquisition.share.beside()) {
      acquisition.sawHolder = holds.isHeld();
      acquisition.queued = !holds.admits() || line.hasQueue();
      line.queue(acquisition);
      Acquisition head = line.head();
      if (line.isFair()) {
        acquisition.attempt.ask();
      } else if (head != null && acquisition.lacksEvidence()) {
        head.attempt.lookAgain();
      }
    } else if (holds.isHeld()) {
      decide(acquisition, Decision.REFUSED);
    } else {
      line.standBeside(acquisition);
      acquisition.attempt.ask();
    }
  }

  /** A re-entry waits for its lease to grow. */
  private void grows(Acquisition acquisition, LeaseHandle handle, Duration wanted) {
    acquisition.growing = handle;
    line.standBeside(acquisition);
    monitor.after(
        () -> holdCalls.grow(handle.entry(), wanted, why -> grown(acquisition, handle, why)));
  }

  private void grown(Acquisition acquisition, LeaseHandle handle, @Nullable LockException why) {
    if (why != null) {
      failed(acquisition, why);
    } else {
      decide(acquisition, Decision.has(Outcome.REENTERED, handle));
    }
  }

  /** Decides a waiter's outcome, once. Under the mutex. */
  boolean decide(Acquisition acquisition, Decision how) {
    if (!acquisition.settle(how)) {
      return false;
    }
    line.remove(acquisition);
    if (acquisition.trail.isFollowed()) {
      Duration waited = monitor.time().since(acquisition.arrived);
      acquisition.trail.decided(monitor, acquisition.result(how, waited));
    }
    monitor.after(() -> acquisition.complete(how));
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
            : Decision.failed(monitor.store().useless(acquisition.arrived)));
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
        monitor.after(() -> holdCalls.release(unused.entry()));
      }
    }
    return left;
  }

  // ---- what tells them that others have the name ----

  @Override
  public boolean anyLacksEvidence(Acquisition asker, Predicate<Acquisition> such) {
    Predicate<Acquisition> lacks = Acquisition::lacksEvidence;
    return lacks.and(such).test(asker) || line.askedForBy(asker).stream().anyMatch(lacks.and(such));
  }

  @Override
  public void heardHeld(Acquisition asker, long sentAt) {
    for (Acquisition one : line.askedForBy(asker)) {
      if (one.arrived - sentAt <= 0) {
        sawHolder(one);
      }
    }
  }

  private void sawHolder(Acquisition one) {
    one.sawHolder = true;
    if (one.endsAtAnswer || !one.waits()) {
      contended(one);
    }
  }

  /** What an answer was about may be known now. */
  void reconsider() {
    line.all().forEach(one -> one.attempt.reconsider());
  }

  /** All fail, since the manager is closed. */
  void failClosed() {
    line.all().forEach(one -> failed(one, Lifecycle.closedFailure()));
  }

  // ---- the end of each turn ----

  /** Starts who is to ask next. */
  void settle() {
    Acquisition head = startingHead();
    while (head != null && !hasBegun(head)) {
      head = startingHead(); // it failed before it could ask: the next one
    }
    if (!line.hasQueue()) {
      courteous = false;
      if (holds.isVacant()) {
        sharedListening.close(); // not before: threads that take turns would open it each time
      }
    }
  }

  private @Nullable Acquisition startingHead() {
    return !line.isFair() && holds.admits() ? line.head() : null;
  }

  private boolean hasBegun(Acquisition head) {
    if (head.attempt.isIdle()) {
      Attempt left = leftovers.questionFor(head);
      if (left != null) {
        left.goOnFor(head);
      } else if (courteous) {
        head.attempt.defer();
      } else {
        head.attempt.ask();
      }
    }
    courteous = false;
    return !head.isSettled();
  }

  // ---- what attempts ask and report ----

  @Override
  public Listening listeningFor(Attempt attempt) {
    return line.isFair()
        ? new Listening(monitor.mutex(), operations::watch, attempt::woken)
        : sharedListening;
  }

  @Override
  public boolean mayAsk(Acquisition acquisition) {
    return line.isFair()
        || !acquisition.waits()
        || acquisition.share.beside()
        || (holds.admits() && line.head() == acquisition);
  }

  private void wokenUp() {
    Acquisition head = line.head();
    if (head != null) {
      head.attempt.woken();
    }
  }

  @Override
  public void granted(Acquisition acquisition, RemoteLease lease) {
    take(acquisition, lease, Outcome.GRANTED, () -> holds.granted(acquisition, lease));
    if (holds.areShared()) {
      letJoin();
    }
  }

  /** Those who waited while one asked for all. */
  private void letJoin() {
    for (Acquisition waiter : line.queued()) {
      if (!waiter.isServed()) { // its owner may have come in by another of its waiters
        RemoteLease lease = holds.joining().joins(waiter);
        if (lease != null) {
          handOver(waiter, lease);
        }
      }
    }
  }

  /** A waiter's hold begins; where it can't, whatever is thrown, nobody keeps the lease. */
  private void take(
      Acquisition acquisition, RemoteLease lease, Outcome how, Supplier<Entry> begin) {
    try {
      decide(acquisition, Decision.has(how, handle(begin.get())));
      acquisition.attempt.servedOtherwise(line.head());
    } catch (RuntimeException | Error e) {
      holds.undo(lease, acquisition.owner);
      failed(acquisition, StoreCalls.typed(e));
      return;
    }
    letIn(acquisition.owner);
    if (holds.isHeld()) {
      line.queued().forEach(this::sawHolder);
    }
  }

  /** Lets an owner's other waiters in: behind its own hold they would wait for themselves. */
  private void letIn(Object owner) {
    for (Acquisition other : line.queued()) {
      if (other.owner == owner) {
        letIn(other, () -> {});
        if (other.isServed()) {
          line.leaveQueue(other);
          other.attempt.cleanUp();
        }
      }
    }
  }

  private void contended(Acquisition acquisition) {
    letIn(acquisition, () -> leave(acquisition, Decision.REFUSED));
  }

  @Override
  public void failed(Acquisition acquisition, LockException failure) {
    leave(acquisition, Decision.failed(failure));
  }

  @Override
  public void failOutOfPatience(LockException failure) {
    line.all().stream()
        .filter(who -> who.isOutOfPatience(monitor.store(), storeTimeout))
        .toList()
        .forEach(who -> failed(who, failure));
  }

  // ---- what the holds need of the queue ----

  /** As {@link Succession#successor}. */
  @Nullable Acquisition successor(RemoteLease lease) {
    Acquisition next = line.isFair() || monitor.isClosing() ? null : line.head();
    return next != null && lease.mayPassTo(next) ? next : null;
  }

  /**
   * None where nobody else was seen here, so that the lock which one thread at a time uses is no
   * more work for the store.
   */
  @Override
  public int handOversAfter(Acquisition acquisition) {
    boolean crowded = acquisition.queued || line.hasOthersThan(acquisition);
    return line.isFair() || !crowded || !acquisition.options.atLeast().isZero()
        ? 0
        : acquisition.options.handOver().times();
  }

  private void handOver(Acquisition next, RemoteLease lease) {
    take(next, lease, Outcome.HANDED_OVER, () -> holds.begin(next, lease));
  }

  void handOver(RemoteLease lease) {
    handOver(Objects.requireNonNull(line.head(), "named before"), lease);
  }

  /** As {@link Succession#givenBack}; a waiter of another process that was woken goes first. */
  void givenBack(boolean wokeAnother) {
    leftovers.ours();
    courteous |= wokeAnother;
  }
}
