package dev.leasehold.testkit;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.SeveralStore;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A store's operations, each waited for, so that a store's own tests read as sentences. What an
 * operation fails with is thrown. Thread-safe if the store is.
 */
public class StoreCalls implements AutoCloseable {
  /** The time to live of what is acquired without one: 10 s. */
  public static final Duration TTL = Duration.ofSeconds(10);

  private final LeaseStore store;

  /**
   * Starts a store, and closes it if that fails.
   *
   * @param store a new one, which ends with this
   * @param context what it may use
   */
  public StoreCalls(LeaseStore store, StoreContext context) {
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

  /** Asks for {@link #TTL}, and stands in no line. */
  public final AcquireResult acquire(LeaseKey key) {
    return acquire(key, TTL);
  }

  /** Asks for a time to live, and stands in no line. */
  public final AcquireResult acquire(LeaseKey key, Duration ttl) {
    return acquire(key, ttl, IfHeld.REFUSE);
  }

  /** Asks for a time to live. */
  public final AcquireResult acquire(LeaseKey key, Duration ttl, IfHeld ifHeld) {
    return Await.value(store.acquire(new AcquireRequest(key, ttl, ifHeld)));
  }

  /**
   * Takes several in one step, beside what is held.
   *
   * @throws ClassCastException if the store does not take several
   */
  public final SeveralStore.Answer acquireAll(
      Duration ttl, List<LeaseKey> keys, LeaseKey... beside) {
    List<AcquireRequest> requests =
        keys.stream().map(key -> new AcquireRequest(key, ttl, IfHeld.REFUSE)).toList();
    return Await.value(((SeveralStore) store).acquireAll(requests, List.of(beside)));
  }

  /**
   * What becomes of several that are given back in one step.
   *
   * @throws ClassCastException if the store does not take several
   */
  public final List<ReleaseResult> releaseAll(LeaseKey... leases) {
    return Await.value(((SeveralStore) store).releaseAll(List.of(leases)));
  }

  /** Whether it is granted. */
  public final boolean takes(LeaseKey key) {
    return acquire(key) instanceof Granted;
  }

  /** The fence of a grant that must be. */
  public final long fence(LeaseKey key) {
    return ((Granted) acquire(key)).fence().orElseThrow();
  }

  /** When to ask again, of a refusal that must be. */
  public final Duration retryAfter(LeaseKey key) {
    return ((Held) acquire(key)).retryAfter();
  }

  /** Renews for this time to live. */
  public final RenewResult renew(LeaseKey key, Duration ttl) {
    return Await.value(store.renew(List.of(new RenewRequest(key, ttl))).get(0));
  }

  /** Releases. */
  public final ReleaseResult release(LeaseKey key) {
    return Await.value(store.release(key));
  }

  /** Leaves the line. */
  public final void leave(LeaseKey key) {
    Await.value(store.leave(key));
  }

  /** Listens. */
  public final Watch watch(LeaseKey key, Runnable wakeUp) {
    return Await.value(store.watch(key, wakeUp));
  }

  /** Who holds a name. */
  public final Optional<StoredLease> inspect(String name) {
    return Await.value(store.inspect(name));
  }

  @Override
  public final void close() {
    store.close();
  }
}
