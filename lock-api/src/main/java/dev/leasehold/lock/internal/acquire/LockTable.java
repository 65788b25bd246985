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
import dev.leasehold.lock.internal.threads.PendingCall;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.LeaseKey;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The names of one kind of lock that are in use in a manager. A kind is a view of the store
 * together with a rule for how holds of one name coexist in this process; all else is the same for
 * all kinds.
 */
public final class LockTable {
  private final Set<Guarantee> guarantees;
  private final Sharing sharing;
  private final NameServices services;
  private final boolean recordsAcquisitions;
  private final ConcurrentHashMap<String, LockEntry> entries = new ConcurrentHashMap<>();

  /** A waiter, and the entry it was added to. */
  public record Entered(LockEntry entry, Waiter waiter) implements PendingCall<Optional<Lease>> {
    @Override
    public CompletableFuture<Optional<Lease>> outcome() {
      return waiter.outcome;
    }

    @Override
    public void timeUp() {
      entry.timeUp(waiter);
    }

    /** Also true if the thread was interrupted during its store call, which gave it up. */
    @Override
    public boolean giveUp() {
      boolean ended = entry.giveUp(waiter) || waiter.isGivenUp();
      if (ended) {
        waiter.recorded();
      }
      return ended;
    }
  }

  /**
   * Creates an empty table for a kind.
   *
   * @param guarantees what the kind guarantees
   * @param services given what forgets an entry
   * @param recordsAcquisitions whether the stack trace of each acquisition is recorded
   */
  LockTable(
      Set<Guarantee> guarantees,
      Sharing sharing,
      Function<Consumer<LockEntry>, NameServices> services,
      boolean recordsAcquisitions) {
    this.guarantees = guarantees;
    this.sharing = sharing;
    this.services = services.apply(this::forget);
    this.recordsAcquisitions = recordsAcquisitions;
  }

  /** Returns the calls to the kind's view of the store. */
  public StoreOperations store() {
    return services.operations();
  }

  LockKind kind() {
    return services.monitors().kind();
  }

  public Sharing sharing() {
    return sharing;
  }

  public boolean promises(Guarantee guarantee) {
    return guarantees.contains(guarantee);
  }

  public Timing time() {
    return services.monitors().time();
  }

  public Events events() {
    return services.monitors().events();
  }

  private boolean isClosing() {
    return services.monitors().lifecycle().isClosing();
  }

  public void checkOpen() {
    if (isClosing()) {
      throw Lifecycle.closedFailure();
    }
  }

  /**
   * Serves an acquisition from the holds of the name in this process, if that takes neither a call
   * to the store nor a waiter; else returns null.
   */
  @Nullable Lease join(String name, Object owner, LockOptions options) {
    if (sharing == Sharing.APART) {
      return null;
    }
    checkOpen();
    LockEntry entry = entries.get(name);
    return entry == null ? null : entry.join(owner, options);
  }

  /**
   * Adds a waiter that asks the store for this specification.
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

  /** Adds a waiter whose requests are sent by the given sender. */
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
    AcquisitionNotifier notifier =
        AcquisitionNotifier.of(events().followers(kind(), name), events());
    Throwable origin = recordsAcquisitions ? new Throwable("acquired here") : null;
    long arrived = time().now();
    while (true) {
      LockEntry entry = entries.computeIfAbsent(name, n -> new LockEntry(n, services));
      Waiter waiter =
          entry.enter(
              waiters ->
                  new Waiter(
                      kind(),
                      name,
                      owner,
                      options,
                      spec,
                      patience,
                      arrived,
                      caller,
                      origin,
                      notifier,
                      contender -> waiters.loop(asker, contender)));
      if (waiter != null) {
        if (isClosing()) {
          entry.close(); // it may have been added after close() visited the entries
        }
        return new Entered(entry, waiter);
      }
    }
  }

  private void forget(LockEntry idle) {
    entries.remove(idle.name(), idle);
  }

  /** Returns the operations for holders of a name; null if the name has no entry here. */
  @Nullable
  public HoldCalls holdCalls(String name) {
    return entries.get(name);
  }

  /** Returns how many handles an owner has on its hold of a name here; zero if it has none. */
  int holdCount(String name, Object owner) {
    LockEntry entry = entries.get(name);
    return entry == null ? 0 : entry.countOf(owner);
  }

  /** Returns whether an owner holds a name here. */
  public boolean areHeldBy(String name, Object owner) {
    return holdCount(name, owner) > 0;
  }

  /** Returns the key of an owner's lease, beside which the owner is about to take another one. */
  public Optional<LeaseKey> standBeside(String name, Object owner) {
    LockEntry entry = entries.get(name);
    return entry == null ? Optional.empty() : entry.standBeside(owner);
  }

  /** Returns all entries that exist now. */
  public Collection<LockEntry> all() {
    return entries.values();
  }
}
