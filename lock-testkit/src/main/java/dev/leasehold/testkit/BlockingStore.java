package dev.leasehold.testkit;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Blocking forms of a store's operations, to keep a store's own tests readable. A failed operation
 * throws its exception. Thread-safe if the store is.
 */
public class BlockingStore implements AutoCloseable {
  /** The default time to live of acquisitions: 10 s. */
  public static final Duration TTL = Duration.ofSeconds(10);

  private final LeaseStore store;

  /**
   * Starts a store, and closes it if that fails.
   *
   * @param store a new store, closed together with this object
   * @param context services for the store
   */
  public BlockingStore(LeaseStore store, StoreContext context) {
    this.store = store;
    try {
      store.start(context);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** The store itself. */
  public final LeaseStore store() {
    return store;
  }

  /** Acquires for {@link #TTL}, without queueing. */
  public final AcquireResult acquire(LeaseKey key) {
    return acquire(key, TTL);
  }

  /** Acquires for a time to live, without queueing. */
  public final AcquireResult acquire(LeaseKey key, Duration ttl) {
    return acquire(key, ttl, IfHeld.REFUSE);
  }

  /** Acquires for a time to live. */
  public final AcquireResult acquire(LeaseKey key, Duration ttl, IfHeld ifHeld) {
    return Await.value(store.acquire(new AcquireRequest(key, ttl, ifHeld)));
  }

  /**
   * Acquires several locks in one step, beside leases already held.
   *
   * @throws ClassCastException if the store does not take several
   */
  public final MultiLockStore.Answer acquireAll(
      Duration ttl, List<LeaseKey> keys, LeaseKey... beside) {
    List<AcquireRequest> requests =
        keys.stream().map(key -> new AcquireRequest(key, ttl, IfHeld.REFUSE)).toList();
    return Await.value(((MultiLockStore) store).acquireAll(requests, List.of(beside)));
  }

  /**
   * Releases several leases in one step and returns the results.
   *
   * @throws ClassCastException if the store does not take several
   */
  public final List<ReleaseResult> releaseAll(LeaseKey... leases) {
    return Await.value(((MultiLockStore) store).releaseAll(List.of(leases)));
  }

  /** Requests the lock and returns whether it was granted. */
  public final boolean takes(LeaseKey key) {
    return acquire(key) instanceof Granted;
  }

  /** Acquires, which must be granted, and returns the fence. */
  public final long fence(LeaseKey key) {
    return ((Granted) acquire(key)).fence().orElseThrow();
  }

  /** Acquires, which must be refused, and returns the time to retry after. */
  public final Duration retryAfter(LeaseKey key) {
    return ((Held) acquire(key)).retryAfter();
  }

  /** Renews a lease for this time to live. */
  public final RenewResult renew(LeaseKey key, Duration ttl) {
    return Await.value(store.renew(List.of(new RenewRequest(key, ttl))).get(0));
  }

  /** Releases a lease. */
  public final ReleaseResult release(LeaseKey key) {
    return Await.value(store.release(key));
  }

  /** Leaves the queue of waiters. */
  public final void leave(LeaseKey key) {
    Await.value(store.leave(key));
  }

  /** Listens for wake-ups. */
  public final Watch watch(LeaseKey key, Runnable wakeUp) {
    return Await.value(store.watch(key, wakeUp));
  }

  /** Inspects the current holder of a name. */
  public final Optional<StoredLease> inspect(String name) {
    return Await.value(store.inspect(name));
  }

  @Override
  public final void close() {
    store.close();
  }
}
