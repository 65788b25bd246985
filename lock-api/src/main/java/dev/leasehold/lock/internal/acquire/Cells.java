package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.Asker;
import dev.leasehold.lock.internal.calls.Caller;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.hold.Sharing;
import dev.leasehold.lock.internal.lease.Share;
import dev.leasehold.lock.internal.name.Trail;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.LeaseKey;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The names of one kind of lock that are in use in a manager. A kind is a view of the store, and
 * how its holds stand beside one another here; all else is the same for all kinds.
 */
public final class Cells {
  private final StoreOperations store;
  private final Set<Guarantee> guarantees;
  private final Sharing sharing;
  private final Timing time;
  private final Events events;
  private final Lifecycle lifecycle;
  private final boolean recordsAcquisitions;
  private final BiFunction<String, Consumer<LockCell>, LockCell> making;
  private final ConcurrentHashMap<String, LockCell> cells = new ConcurrentHashMap<>();

  /** An acquisition that is on its way, and where. */
  public record Entered(LockCell cell, Acquisition acquisition) {}

  /**
   * Cells of a kind.
   *
   * @param store a view of the kind, which tells what it is, to listen through
   * @param guarantees what the kind keeps
   * @param recordsAcquisitions whether it is kept where a lock was asked for
   * @param making makes the cell of a name, which tells when nobody needs it any more
   */
  Cells(
      StoreOperations store,
      Set<Guarantee> guarantees,
      Sharing sharing,
      Timing time,
      Events events,
      Lifecycle lifecycle,
      boolean recordsAcquisitions,
      BiFunction<String, Consumer<LockCell>, LockCell> making) {
    this.store = store;
    this.guarantees = guarantees;
    this.sharing = sharing;
    this.time = time;
    this.events = events;
    this.lifecycle = lifecycle;
    this.recordsAcquisitions = recordsAcquisitions;
    this.making = making;
  }

  public StoreOperations store() {
    return store;
  }

  LockKind kind() {
    return store.kind();
  }

  public Sharing sharing() {
    return sharing;
  }

  public boolean promises(Guarantee guarantee) {
    return guarantees.contains(guarantee);
  }

  Timing time() {
    return time;
  }

  public Events events() {
    return events;
  }

  public void checkOpen() {
    if (lifecycle.isClosing()) {
      throw Lifecycle.closedFailure();
    }
  }

  /** Joins those who hold a name here, if the owner may do so past the cell; else null. */
  @Nullable Lease join(String name, Object owner, LockOptions options) {
    if (sharing != Sharing.TOGETHER) {
      return null;
    }
    checkOpen();
    LockCell cell = cells.get(name);
    return cell == null ? null : cell.join(owner, options);
  }

  /**
   * Lets an acquisition in that asks the store for this share.
   *
   * @param caller whose thread may make a call to the store; null if none may
   */
  public Entered enter(
      String name,
      Object owner,
      LockOptions options,
      Share share,
      Acquisition.Patience patience,
      @Nullable Caller caller) {
    return enter(name, owner, options, share, patience, share.store()::acquire, caller);
  }

  /** The same, where somebody else asks the store. */
  public Entered enter(
      String name,
      Object owner,
      LockOptions options,
      Share share,
      Acquisition.Patience patience,
      Asker asker) {
    return enter(name, owner, options, share, patience, asker, null);
  }

  private Entered enter(
      String name,
      Object owner,
      LockOptions options,
      Share share,
      Acquisition.Patience patience,
      Asker asker,
      @Nullable Caller caller) {
    checkOpen();
    Trail trail = Trail.of(events.followers(kind(), name), events);
    while (true) {
      LockCell cell = cells.computeIfAbsent(name, n -> making.apply(n, this::forget));
      Acquisition acquisition =
          acquisition(cell, owner, options, share, patience, asker, caller, trail);
      if (cell.enter(acquisition)) {
        if (lifecycle.isClosing()) {
          cell.close(); // it may have come in after the closing went round
        }
        return new Entered(cell, acquisition);
      }
    }
  }

  private Acquisition acquisition(
      LockCell cell,
      Object owner,
      LockOptions options,
      Share share,
      Acquisition.Patience patience,
      Asker asker,
      @Nullable Caller caller,
      Trail trail) {
    Throwable origin = recordsAcquisitions ? new Throwable("it was asked for here") : null;
    boolean wakes = promises(Guarantee.WAKE_UP);
    return new Acquisition(
        kind(),
        cell.name(),
        owner,
        options,
        share,
        patience,
        time.now(),
        caller,
        origin,
        trail,
        contender -> cell.attempt(asker, wakes, contender));
  }

  private void forget(LockCell idle) {
    cells.remove(idle.name(), idle);
  }

  /** What holders of a name may ask; null if nobody holds it here. */
  @Nullable
  public HoldCalls holdCalls(String name) {
    LockCell cell = cells.get(name);
    return cell == null ? null : cell.holdCalls();
  }

  /** How many handles an owner has on its hold of a name here; zero if it has none. */
  int holdCount(String name, Object owner) {
    LockCell cell = cells.get(name);
    return cell == null ? 0 : cell.holdCalls().countOf(owner);
  }

  /** Whether an owner holds a name here. */
  public boolean areHeldBy(String name, Object owner) {
    return holdCount(name, owner) > 0;
  }

  /** The key of an owner's lease, which it is about to take another beside. */
  public Optional<LeaseKey> standBeside(String name, Object owner) {
    LockCell cell = cells.get(name);
    return cell == null ? Optional.empty() : cell.holdCalls().standBeside(owner);
  }

  /** All of them now. */
  public Collection<LockCell> all() {
    return cells.values();
  }
}
