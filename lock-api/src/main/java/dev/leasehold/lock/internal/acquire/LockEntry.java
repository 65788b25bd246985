package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.hold.Successors;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.Mutex;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Outbox;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One manager's state for one name: its waiters in this process ({@link Waiters}) and its holds
 * ({@link Holds}). It connects the two, each of which sees the other only through a small
 * interface.
 *
 * <p>A held name seldom has waiters, so it has no object for them until one comes. The step under
 * the mutex after which nothing is left of the last one drops it.
 *
 * <p>One {@link Monitor} guards it. Each step under the mutex ends in {@link #settle}, which starts
 * this process's one contender on the store.
 */
public final class LockEntry extends HoldCalls implements Successors, Mutex.Owner {
  private final NameServices services;
  private final Monitor monitor;
  private final Holds holds;

  /** Null if there are no waiters, and nothing of earlier ones is left on the store. */
  private @Nullable Waiters waiters;

  private boolean dead;

  /** Creates the state of a name without waiters or holds. */
  LockEntry(String name, NameServices services) {
    this.services = services;
    this.monitor = new Monitor(name, services.monitors(), this);
    this.holds = new Holds(monitor, services.holds(), this);
  }

  @Override
  protected Monitor monitor() {
    return monitor;
  }

  @Override
  protected Holds holds() {
    return holds;
  }

  @Override
  protected Services services() {
    return services.handles();
  }

  public String name() {
    return monitor.name();
  }

  long now() {
    return monitor.now();
  }

  private Waiters waiters() {
    Waiters now = waiters;
    if (now == null) {
      now = new Waiters(monitor, holds, this, services);
      waiters = now;
    }
    return now;
  }

  /**
   * Ends a step under the mutex: starts the next waiter's request, drops what is left of waiters
   * that have gone, and retires an entry that is no longer needed.
   */
  @Override
  public void settle() {
    Waiters now = waiters;
    if (now != null) {
      now.settle();
      waiters = now.isIdle() ? null : now;
    }
    if (waiters == null && holds.isForgotten() && !dead) {
      dead = true;
      services.onIdle().accept(this);
    }
  }

  @Override
  public Outbox outbox() {
    return services.monitors().lifecycle().outbox();
  }

  // ---- waiters coming and leaving ----

  /**
   * Adds a waiter, which is created under the mutex. Returns null if this entry is dead, and its
   * table has, or will have, another.
   */
  public @Nullable Waiter enter(Function<Waiters, Waiter> making) {
    return monitor.<@Nullable Waiter>computed(
        () -> {
          if (dead) {
            return null;
          }
          Waiter waiter = making.apply(waiters());
          if (monitor.isClosing()) {
            waiters().failed(waiter, Lifecycle.closedFailure());
          } else {
            waiters().enter(waiter);
          }
          return waiter;
        });
  }

  /**
   * Removes a waiter. Returns true if it had no outcome yet. Completing its future is left to the
   * caller.
   */
  public boolean giveUp(Waiter waiter) {
    return monitor.computed(() -> waiters().giveUp(waiter));
  }

  /** Ends the wait of a timed waiter. */
  void timeUp(Waiter waiter) {
    monitor.locked(() -> waiters().timeUp(waiter));
  }

  /**
   * Ends the wait of a timed waiter that waits at least for its first answer. Returns whether it
   * still waits.
   */
  boolean endsAtAnswer(Waiter waiter) {
    return monitor.computed(() -> waiters().endsAtAnswer(waiter));
  }

  // ---- the successor of a hold ----

  @Override
  public @Nullable Claim successor(RemoteLease lease) {
    Waiters now = waiters;
    return now == null ? null : now.successor(lease);
  }

  @Override
  public boolean areAny() {
    Waiters now = waiters;
    return now != null && !now.isEmpty();
  }

  @Override
  public void handOver(RemoteLease lease) {
    waiters().handOver(lease);
  }

  @Override
  public void givenBack(boolean wokeAnother) {
    Waiters now = waiters;
    if (now != null) {
      now.givenBack(wokeAnother);
    }
  }

  // ---- for holders ----

  /**
   * Serves an acquisition from the holds of its owner or its process, if that takes no waiter; else
   * returns null. See {@link Holds#join}.
   */
  @Nullable Lease join(Object owner, LockOptions options) {
    HoldEntry entry = holds.join(owner, options);
    return entry == null ? null : new LeaseHandle(this, entry);
  }

  // ---- closing ----

  /**
   * Fails the waiters and signals the hold as lost. The future completes when the hold has no
   * handles left.
   */
  public CompletableFuture<Void> close() {
    return monitor.computed(
        () -> {
          Waiters now = waiters;
          if (now != null) {
            now.failClosed();
          }
          return holds.close(
              new LeaseLoss(
                  monitor.kind(),
                  monitor.name(),
                  LeaseLoss.Reason.CLOSED,
                  "the lock manager was closed"));
        });
  }
}
