package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.RequestSender;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.hold.Sharing;
import dev.leasehold.lock.internal.lease.AcquireSpec;
import dev.leasehold.lock.internal.name.AcquisitionNotifier;
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
public final class LockTable {
  private final StoreOperations store;
  private final Set<Guarantee> guarantees;
  private final Sharing sharing;
  private final Timing time;
  private final Events events;
  private final Lifecycle lifecycle;
  private final boolean recordsAcquisitions;
  private final BiFunction<String, Consumer<LockEntry>, LockEntry> making;
  private final ConcurrentHashMap<String, LockEntry> entries = new ConcurrentHashMap<>();

  /** An acquisition that is on its way, and where. */
  public record Entered(LockEntry entry, Waiter waiter) {}

  /**
   * Cells of a kind.
   *
   * @param store a view of the kind, which tells what it is, to listen through
   * @param guarantees what the kind keeps
   * @param recordsAcquisitions whether it is kept where a lock was asked for
   * @param making makes the cell of a name, which tells when nobody needs it any more
   */
  LockTable(
      StoreOperations store,
      Set<Guarantee> guarantees,
      Sharing sharing,
      Timing time,
      Events events,
      Lifecycle lifecycle,
      boolean recordsAcquisitions,
      BiFunction<String, Consumer<LockEntry>, LockEntry> making) {
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
    LockEntry entry = entries.get(name);
    return entry == null ? null : entry.join(owner, options);
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
      AcquireSpec spec,
      Waiter.Patience patience,
      @Nullable CallerThread caller) {
    return enter(name, owner, options, spec, patience, spec.store()::acquire, caller);
  }

  /** The same, where somebody else asks the store. */
  public Entered enter(
      String name,
      Object owner,
      LockOptions options,
      AcquireSpec spec,
      Waiter.Patience patience,
      RequestSender asker) {
    return enter(name, owner, options, spec, patience, asker, null);
  }

  private Entered enter(
      String name,
      Object owner,
      LockOptions options,
      AcquireSpec spec,
      Waiter.Patience patience,
      RequestSender asker,
      @Nullable CallerThread caller) {
    checkOpen();
    AcquisitionNotifier notifier = AcquisitionNotifier.of(events.followers(kind(), name), events);
    while (true) {
      LockEntry entry = entries.computeIfAbsent(name, n -> making.apply(n, this::forget));
      Waiter waiter = waiter(entry, owner, options, spec, patience, asker, caller, notifier);
      if (entry.enter(waiter)) {
        if (lifecycle.isClosing()) {
          entry.close(); // it may have come in after the closing went round
        }
        return new Entered(entry, waiter);
      }
    }
  }

  private Waiter waiter(
      LockEntry entry,
      Object owner,
      LockOptions options,
      AcquireSpec spec,
      Waiter.Patience patience,
      RequestSender asker,
      @Nullable CallerThread caller,
      AcquisitionNotifier notifier) {
    Throwable origin = recordsAcquisitions ? new Throwable("it was asked for here") : null;
    return new Waiter(
        kind(),
        entry.name(),
        owner,
        options,
        spec,
        patience,
        time.now(),
        caller,
        origin,
        notifier,
        contender -> entry.loop(asker, contender));
  }

  private void forget(LockEntry idle) {
    entries.remove(idle.name(), idle);
  }

  /** What holders of a name may ask; null if nobody holds it here. */
  @Nullable
  public HoldCalls holdCalls(String name) {
    LockEntry entry = entries.get(name);
    return entry == null ? null : entry.holdCalls();
  }

  /** How many handles an owner has on its hold of a name here; zero if it has none. */
  int holdCount(String name, Object owner) {
    LockEntry entry = entries.get(name);
    return entry == null ? 0 : entry.holdCalls().countOf(owner);
  }

  /** Whether an owner holds a name here. */
  public boolean areHeldBy(String name, Object owner) {
    return holdCount(name, owner) > 0;
  }

  /** The key of an owner's lease, which it is about to take another beside. */
  public Optional<LeaseKey> standBeside(String name, Object owner) {
    LockEntry entry = entries.get(name);
    return entry == null ? Optional.empty() : entry.holdCalls().standBeside(owner);
  }

  /** All of them now. */
  public Collection<LockEntry> all() {
    return entries.values();
  }
}
