package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.AcquisitionNotifier;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.spi.Quoted;
import java.lang.ref.WeakReference;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One owner's hold over a remote lease, shared by its handles. Written under the cell's mutex; what
 * handles read without it is volatile.
 */
public final class Hold implements EngineLog.Held {
  private static final AtomicReferenceFieldUpdater<Hold, State> STATE =
      AtomicReferenceFieldUpdater.newUpdater(Hold.class, State.class, "state");

  /** Where it stands; see the package's picture. */
  public enum State {
    /** Held, and past the cell: see {@link OpenLease}. */
    JOINED,
    HELD,
    RELEASED,
    LOST
  }

  public final Monitor monitor;
  public final RemoteLease remote;
  final LockOptions options;

  /** Who is told what becomes of it. */
  final AcquisitionNotifier notifier;

  final OptionalLong fencingToken;
  final long begun;

  /** What the flight recording says of it, if it does. */
  private final Flight.@Nullable Holding flight;

  /** Where it has its seat, if it has one: it begins as {@link State#JOINED}. */
  public final @Nullable OpenLease home;

  /** How often its owner came again to the same seat before. */
  private final int turn;

  /** The latest entry not yet left; each knows the one before it. */
  private @Nullable HoldEntry latest;

  /**
   * In reach while the application has a handle that is not released, or the stage of its loss: all
   * of them refer to it, and of the engine only this does, weakly.
   */
  private WeakReference<Object> tether = new WeakReference<>(null);

  private volatile State state;
  private volatile long ownDeadline;
  private volatile @Nullable LeaseLoss loss;
  private final Object owner;
  private final @Nullable Throwable origin;

  /** Whether others held the lock while its owner waited for it. */
  final boolean afterOthers;

  /** Whether an entry was left that somebody came to use; guarded by the cell. */
  private boolean used;

  /** Whether it was told that nobody can release it any more; guarded by the cell. */
  private boolean abandoned;

  /** Set when a close waits for the last handle. */
  @Nullable CompletableFuture<Void> unwound;

  Hold(
      Monitor monitor,
      RemoteLease remote,
      Claim claim,
      @Nullable OpenLease home,
      long begun,
      long ownDeadline) {
    this.monitor = monitor;
    this.remote = remote;
    this.owner = claim.owner;
    this.origin = claim.origin;
    this.afterOthers = claim.sawHolder;
    this.options = claim.options;
    this.notifier = claim.notifier;
    this.fencingToken = remote.fencingToken();
    this.home = home;
    this.turn = 0;
    this.state = home == null ? State.HELD : State.JOINED;
    this.begun = begun;
    this.ownDeadline = ownDeadline;
    this.flight = Flight.RECORDER.holding(monitor.kind(), monitor.name());
  }

  /** The next hold in a seat. */
  Hold(Hold before, long begun) {
    this.monitor = before.monitor;
    this.remote = before.remote;
    this.owner = before.owner;
    this.origin = before.origin;
    this.afterOthers = false;
    this.options = before.options;
    this.notifier = AcquisitionNotifier.NONE; // past the cell nobody is told
    this.flight = null;
    this.fencingToken = before.fencingToken;
    this.home = before.home;
    this.turn = before.turn + 1;
    this.state = State.JOINED;
    this.begun = begun;
    this.ownDeadline = before.ownDeadline; // of no meaning: it is renewed
  }

  /** Whether its owner may follow it in its seat, if it asks with these options. */
  boolean mayComeAgain(LockOptions asked) {
    return state == State.RELEASED
        && turn < options.handOver().times()
        && (asked.equals(options)
            || (asked.renewal() == options.renewal()
                && asked.lease().equals(options.lease())
                && asked.handOver().equals(options.handOver())));
  }

  boolean isAutomatic() {
    return options.renewal() == Renewal.AUTOMATIC;
  }

  boolean isOwnedBy(Object candidate) {
    return owner == candidate;
  }

  public boolean isHeld() {
    State now = state;
    return now == State.JOINED || now == State.HELD;
  }

  public State state() {
    return state;
  }

  @Nullable
  public LeaseLoss loss() {
    return loss;
  }

  /** The remote lease's deadline, and for a fixed lease its own, which nothing moves silently. */
  public long deadline() {
    long shared = remote.deadline();
    return isAutomatic() || ownDeadline - shared > 0 ? shared : ownDeadline;
  }

  /** An extension that was asked for is confirmed: also a fixed lease lasts until then. */
  void extended(long deadline) {
    if (deadline - ownDeadline > 0) {
      ownDeadline = deadline;
    }
  }

  /** It began, and is over; {@code how} is null if it was released. */
  void tellEnd(@Nullable LeaseLoss how) {
    Flight.Holding event = flight;
    if (event != null) {
      monitor.after(() -> event.end(how));
    }
  }

  void release() {
    state = State.RELEASED;
  }

  /** Ends a joined hold past the cell: true for one caller only. */
  public boolean leaveByItself() {
    return STATE.compareAndSet(this, State.JOINED, State.RELEASED);
  }

  /** The cell takes a joined hold over: from then on all about it is under the mutex. */
  boolean takeOver() {
    return state == State.JOINED && STATE.compareAndSet(this, State.JOINED, State.HELD);
  }

  void lose(LeaseLoss how) {
    loss = how; // before the state, which readers check first
    state = State.LOST;
  }

  /** One more entry, of which a {@link LeaseHandle} is to be made at once. */
  HoldEntry enter() {
    Object common = tether.get();
    if (common == null) {
      common = new Object();
      tether = new WeakReference<>(common);
    }
    HoldEntry entry = new HoldEntry(this, latest, common);
    latest = entry;
    return entry;
  }

  /** Takes an entry out. */
  void leave(HoldEntry entry) {
    if (latest == entry) {
      latest = entry.earlier;
      return;
    }
    for (HoldEntry later = latest; later != null; later = later.earlier) {
      if (later.earlier == entry) {
        later.earlier = entry.earlier;
        return;
      }
    }
  }

  public void used() {
    used = true;
  }

  /** Whether somebody came to use it who has left it. */
  public boolean wasUsed() {
    return used;
  }

  boolean isEmpty() {
    return latest == null;
  }

  public int count() {
    int count = 0;
    for (HoldEntry entry = latest; entry != null; entry = entry.earlier) {
      count++;
    }
    return count;
  }

  void forEachEntry(Consumer<HoldEntry> action) {
    for (HoldEntry entry = latest; entry != null; entry = entry.earlier) {
      action.accept(entry);
    }
  }

  @Nullable
  public HoldEntry latestViewed() {
    HoldEntry entry = latest;
    while (entry != null && !entry.viewed) {
      entry = entry.earlier;
    }
    return entry;
  }

  /** Whether nobody has a handle to release, nor can come back to release through a view. */
  boolean isOutOfReach() {
    return tether.get() == null && (latestViewed() == null || !isOwnerAlive());
  }

  /** Whether it is abandoned and that was not noticed before. */
  boolean becomesAbandoned() {
    boolean before = abandoned;
    // As long as its thread lives, a program may have meant to hold it for its life.
    abandoned = tether.get() == null && !(owner instanceof Thread && isOwnerAlive());
    return abandoned && !before;
  }

  /** Whether it was abandoned when that was last looked at. */
  boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public String lockWords() {
    return monitor.kind().named(monitor.name());
  }

  @Override
  public long begun() {
    return begun;
  }

  @Override
  public @Nullable Throwable origin() {
    return origin;
  }

  @Override
  public String ownerText() {
    if (owner instanceof Thread thread) {
      return "thread " + Quoted.name(thread.getName());
    }
    return owner instanceof LockOwner named
        ? "owner " + Quoted.name(named.toString())
        : "an asynchronous owner";
  }

  private boolean isOwnerAlive() {
    return !(owner instanceof Thread thread) || thread.isAlive();
  }
}
