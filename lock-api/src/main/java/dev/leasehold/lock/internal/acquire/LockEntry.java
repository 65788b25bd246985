package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.RequestSender;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.name.Monitor;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
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
public final class LockEntry extends HoldCalls {
  /** Null if there are no waiters, and nothing of earlier ones is left on the store. */
  private @Nullable Waiters waiters;

  /** Called under the mutex when this entry is no longer needed. */
  private final Consumer<LockEntry> onIdle;

  private boolean dead;

  /** Creates the state of a name without waiters or holds. */
  LockEntry(String name, KindServices services, Renewals renewals, Consumer<LockEntry> onIdle) {
    super(name, services, renewals);
    this.onIdle = onIdle;
  }

  Monitor monitor() {
    return monitor;
  }

  public String name() {
    return monitor.name();
  }

  private Waiters waiters() {
    Waiters now = waiters;
    if (now == null) {
      now = new Waiters(monitor, holds, this);
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
      onIdle.accept(this);
    }
  }

  // ---- waiters coming and leaving ----

  /**
   * Adds a waiter. Returns false if this entry is dead, and its table has, or will have, another.
   *
   * @param sender sends its requests
   */
  public boolean enter(Waiter waiter, RequestSender sender) {
    return monitor.computed(
        () -> {
          if (dead) {
            return false;
          }
          waiters().enter(waiter, sender);
          return true;
        });
  }

  /**
   * Removes a waiter. Returns true if it had no outcome yet. Completing its future is left to the
   * caller.
   */
  public boolean giveUp(Waiter waiter) {
    return monitor.computed(() -> waiters().leave(waiter, Outcome.CANCELLED, null));
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
          return holds.close(monitor.loss(LeaseLoss.Reason.CLOSED, "the lock manager was closed"));
        });
  }
}
