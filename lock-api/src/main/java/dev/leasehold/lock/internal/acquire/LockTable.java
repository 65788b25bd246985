package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.RequestSender;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.lease.AcquireSpec;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.name.Observers;
import dev.leasehold.lock.internal.name.Sharing;
import dev.leasehold.lock.spi.LeaseKey;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The names of one kind of lock that are in use in a manager. A kind is a view of the store
 * together with a rule for how holds of one name coexist in this process; all else is the same for
 * all kinds.
 */
public final class LockTable {
  private final KindServices services;
  private final Renewals renewals;
  private final AcquireSpec whole;
  private final boolean recordsAcquisitions;
  private final ConcurrentHashMap<String, LockEntry> entries = new ConcurrentHashMap<>();
  private final Consumer<LockEntry> forgetting = this::forget;

  /** Creates an empty table for a kind. */
  public LockTable(KindServices services, Renewals renewals) {
    this.services = services;
    this.renewals = renewals;
    this.recordsAcquisitions = services.config().recordsAcquisitions();
    this.whole = AcquireSpec.whole(services.operations());
  }

  /** Returns the calls to the kind's view of the store. */
  public StoreOperations store() {
    return services.operations();
  }

  /** Returns the request for a whole lock of this kind. */
  public AcquireSpec whole() {
    return whole;
  }

  public Sharing sharing() {
    return services.sharing();
  }

  public KindServices services() {
    return services;
  }

  /**
   * Serves an acquisition from the holds of the name in this process, if that takes neither a call
   * to the store nor a waiter; else returns null.
   */
  @Nullable
  public Lease join(String name, Object owner, LockOptions options) {
    if (sharing() == Sharing.APART) {
      return null;
    }
    services.checkOpen();
    LockEntry entry = entries.get(name);
    return entry == null ? null : entry.join(owner, options);
  }

  /**
   * Adds a waiter that asks the store for this specification.
   *
   * @param sender sends its requests
   * @param caller whose thread may make a call to the store; null if none may
   */
  public Waiter enter(
      String name,
      Object owner,
      LockOptions options,
      AcquireSpec spec,
      Waiter.Patience patience,
      RequestSender sender,
      @Nullable CallerThread caller) {
    services.checkOpen();
    Throwable origin = recordsAcquisitions ? new Throwable("acquired here") : null;
    Events events = services.events();
    Observers observers = Observers.of(events.followers(services.kind(), name), origin, events);
    long arrived = services.time().now();
    while (true) {
      LockEntry entry = entries.computeIfAbsent(name, this::entry);
      Waiter waiter = new Waiter(entry, owner, options, spec, patience, arrived, caller, observers);
      if (entry.enter(waiter, sender)) {
        if (services.lifecycle().isClosing()) {
          entry.close(); // it may have been added after close() visited the entries
        }
        return waiter;
      }
    }
  }

  private LockEntry entry(String name) {
    return new LockEntry(name, services, renewals, forgetting);
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
  public int holdCount(String name, Object owner) {
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
