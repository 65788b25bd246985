package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.Observers;
import dev.leasehold.lock.spi.Quoted;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One owner's hold over a remote lease, shared by its handles. Written under the name's mutex;
 * fields that handles read without it are volatile.
 */
public final class Hold implements EngineLog.Held {
  private static final AtomicReferenceFieldUpdater<Hold, State> STATE =
      AtomicReferenceFieldUpdater.newUpdater(Hold.class, State.class, "state");

  /** The state of a hold; see the diagram in the package's documentation. */
  public enum State {
    /** Held, and joined without the mutex: see {@link OpenLease}. */
    JOINED,
    HELD,
    RELEASED,
    LOST
  }

  public final RemoteLease remote;
  final LockOptions options;

  final Observers observers;
  final long begun;

  /**
   * The open lease in which it has a seat, if it has one: it then begins as {@link State#JOINED}.
   */
  public final @Nullable OpenLease home;

  /** How often its owner rejoined in the same seat before. */
  private final int turn;

  /** The latest entry not yet left; each entry links to the previous one. */
  private @Nullable HoldEntry latest;

  /** The next of the name's holds; of {@link HoldRecords}. */
  @Nullable Hold next;

  /**
   * Strongly reachable while the application has a handle that is not released, or the stage of its
   * loss: each of them refers to it, and the engine refers to it only here, weakly.
   */
  private WeakReference<Object> tether = new WeakReference<>(null);

  private volatile State state;
  private volatile long ownDeadline;
  private volatile @Nullable LeaseLoss loss;
  private final Object owner;

  /** Whether others held the lock while its owner waited for it. */
  final boolean afterOthers;

  /**
   * Whether an entry was released after use, by {@code HoldCalls.release} and not {@code
   * releaseUnused}; guarded by the name's mutex.
   */
  private boolean used;

  /** Whether it is known that no handle can release it any more; guarded by the name's mutex. */
  private boolean abandoned;

  Hold(RemoteLease remote, Claim claim, @Nullable OpenLease home, long begun, long ownDeadline) {
    this.remote = remote;
    this.owner = claim.owner;
    this.observers = claim.observers.ofHold(remote.monitor);
    this.afterOthers = claim.sawHolder;
    this.options = claim.options;
    this.home = home;
    this.turn = 0;
    this.state = home == null ? State.HELD : State.JOINED;
    this.begun = begun;
    this.ownDeadline = ownDeadline;
  }

  /** Creates the next hold in the same seat. */
  Hold(Hold before, long begun) {
    this.remote = before.remote;
    this.owner = before.owner;
    this.afterOthers = false;
    this.options = before.options;
    this.observers = Observers.NONE; // holds that bypass the mutex have none
    this.home = before.home;
    this.turn = before.turn + 1;
    this.state = State.JOINED;
    this.begun = begun;
    this.ownDeadline = before.ownDeadline; // irrelevant: the lease is renewed
  }

  /** Returns whether its owner may rejoin in its seat with these options. */
  boolean mayComeAgain(LockOptions asked) {
    return state == State.RELEASED
        && turn < options.handOver().times()
        && (asked.equals(options)
            || (asked.renewal() == options.renewal()
                && asked.lease().equals(options.lease())
                && asked.handOver().equals(options.handOver())));
  }

  public Monitor monitor() {
    return remote.monitor;
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

  /**
   * Returns the deadline: the remote lease's, or for a fixed lease its own if that is earlier. Its
   * own moves only on an explicit extension.
   */
  public long deadline() {
    long shared = remote.deadline();
    return isAutomatic() || ownDeadline - shared > 0 ? shared : ownDeadline;
  }

  /** Records a confirmed extension: a fixed lease, too, lasts until then. */
  void extended(long deadline) {
    if (deadline - ownDeadline > 0) {
      ownDeadline = deadline;
    }
  }

  void release() {
    state = State.RELEASED;
  }

  /** Ends a joined hold without the mutex: true for one caller only. */
  public boolean leaveByItself() {
    return STATE.compareAndSet(this, State.JOINED, State.RELEASED);
  }

  /**
   * Moves a joined hold under the mutex, which guards it from then on. Returns false if it is not
   * joined.
   */
  boolean takeOver() {
    return state == State.JOINED && STATE.compareAndSet(this, State.JOINED, State.HELD);
  }

  void lose(LeaseLoss how) {
    loss = how; // before the state, which readers check first
    state = State.LOST;
  }

  /** Adds an entry, for which the caller must create a {@link LeaseHandle} at once. */
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

  /** Removes an entry. */
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

  /** Returns whether an entry was released after use. */
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

  /**
   * Returns whether no handle can be released any more, neither by a reference to it nor through a
   * view.
   */
  boolean isOutOfReach() {
    return tether.get() == null && (latestViewed() == null || !isOwnerAlive());
  }

  /** Returns whether it is abandoned, and was not when last checked. */
  boolean becomesAbandoned() {
    boolean before = abandoned;
    // While its thread lives, a program may intend to hold it for the thread's lifetime.
    abandoned = tether.get() == null && !(owner instanceof Thread && isOwnerAlive());
    return abandoned && !before;
  }

  /** Returns whether it was abandoned when last checked. */
  boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public String lockWords() {
    return monitor().kind().named(monitor().name());
  }

  @Override
  public long begun() {
    return begun;
  }

  @Override
  public @Nullable Throwable origin() {
    return observers.origin();
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
