package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.threads.Timing;
import java.util.function.Supplier;

/**
 * The monitor of one name: its {@link Mutex}, and what all code under the mutex uses: the name, the
 * time, the listeners, the health of the store. It does not depend on the name's waiters and holds.
 */
@SuppressWarnings("serial") // of the superclass; never serialized
public final class Monitor extends Mutex {
  private final MonitorServices services;
  private final String name;
  private StoreHealth store;

  /** Creates a monitor whose mutex is free. */
  public Monitor(String name, MonitorServices services, Owner owner) {
    super(owner);
    this.services = services;
    this.name = name;
    this.store = services.healthy();
  }

  public LockKind kind() {
    return services.kind();
  }

  public String name() {
    return name;
  }

  public Timing time() {
    return services.time();
  }

  public long now() {
    return services.time().now();
  }

  /** Returns whether the manager is closing: the lock is not granted any more. */
  public boolean isClosing() {
    return services.lifecycle().isClosing();
  }

  // ---- the store; under the mutex ----

  /** Returns the health of the store, as seen by the calls for this name. */
  public StoreHealth store() {
    return store;
  }

  /** Records that the store gave a usable answer. */
  public void answered() {
    store = services.healthy();
  }

  /** Records that the store failed a call that was sent at this time. */
  public void troubled(LockException failure, long sentAt) {
    store = store.troubled(failure, sentAt);
  }

  // ---- listeners ----

  /** Returns whether there are event listeners. */
  public boolean isHeard() {
    return services.events().areHeard();
  }

  /**
   * Queues an event for the listeners, which are called after the mutex is released. Called under
   * the mutex only.
   */
  public void tell(Supplier<LockEvent> event) {
    if (isHeard()) {
      LockEvent happened = event.get();
      after(() -> services.events().tell(happened));
    }
  }

  /**
   * Queues a callback of the user's, to run after the mutex is released. Called under the mutex
   * only.
   */
  public void callBack(Runnable callback) {
    after(() -> services.events().run(callback));
  }
}
