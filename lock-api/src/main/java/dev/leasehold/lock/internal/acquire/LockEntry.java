package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.CallerThreads;
import dev.leasehold.lock.internal.calls.EngineConfig;
import dev.leasehold.lock.internal.calls.RequestSender;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.hold.HoldServices;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.hold.Sharing;
import dev.leasehold.lock.internal.hold.Successors;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One manager's state for one name: its waiters in this process ({@link Waiters}) and its holds
 * ({@link Holds}). It connects the two, each of which sees the other only through a small
 * interface.
 *
 * <p>One {@link Monitor} guards it. Each step under the mutex ends in {@link #settle}, which starts
 * this process's one contender on the store.
 */
public final class LockEntry implements Successors {
  private final Consumer<LockEntry> onIdle;
  private final Monitor monitor;
  private final Holds holds;
  private final HoldCalls holdCalls;
  private final Waiters waiters;
  private boolean dead;

  /**
   * Creates the state of a name without waiters or holds.
   *
   * @param whole the manager's store
   * @param operations calls to the view of the name's kind
   * @param fair whether each waiter sends its own requests
   * @param wakes whether the store wakes waiters
   * @param onIdle called under the mutex when the entry is no longer needed
   */
  LockEntry(
      String name,
      LeaseStore whole,
      StoreOperations operations,
      Sharing sharing,
      boolean fair,
      boolean wakes,
      Timing time,
      EngineConfig config,
      Events events,
      Lifecycle lifecycle,
      HoldServices services,
      Consumer<LockEntry> onIdle) {
    this.onIdle = onIdle;
    this.monitor = new Monitor(operations.kind(), name, time, events, lifecycle, this::settle);
    this.holds = new Holds(monitor, sharing, operations.store(), services, this);
    CallerThreads callers = operations.calls().callers();
    this.holdCalls = new HoldCalls(monitor, holds, whole, callers, events);
    this.waiters =
        new Waiters(monitor, holds, holdCalls, operations, config.storeTimeout(), fair, wakes);
  }

  public String name() {
    return monitor.name();
  }

  long now() {
    return monitor.now();
  }

  /**
   * Ends a step under the mutex: starts the next waiter's request, and retires an entry that is no
   * longer needed.
   */
  private void settle() {
    waiters.settle();
    if (waiters.isEmpty() && holds.isForgotten() && !dead) {
      dead = true;
      onIdle.accept(this);
    }
  }

  // ---- waiters coming and leaving ----

  /** Creates the loop that contends on the store for a new waiter. */
  AcquireLoop loop(RequestSender sender, Waiter waiter) {
    return waiters.loop(sender, waiter);
  }

  /**
   * Adds a waiter. Returns false if this entry is dead, and its table has, or will have, another.
   */
  public boolean enter(Waiter waiter) {
    return monitor.computed(
        () -> {
          if (dead) {
            return false;
          }
          if (monitor.isClosing()) {
            waiters.failed(waiter, Lifecycle.closedFailure());
            return true;
          }
          waiters.enter(waiter);
          return true;
        });
  }

  /**
   * Removes a waiter. Returns true if it had no outcome yet. Completing its future is left to the
   * caller.
   */
  public boolean giveUp(Waiter waiter) {
    return monitor.computed(() -> waiters.giveUp(waiter));
  }

  /** Ends the wait of a timed waiter. */
  void timeUp(Waiter waiter) {
    monitor.locked(() -> waiters.timeUp(waiter));
  }

  /**
   * Ends the wait of a timed waiter that waits at least for its first answer. Returns whether it
   * still waits.
   */
  boolean endsAtAnswer(Waiter waiter) {
    return monitor.computed(() -> waiters.endsAtAnswer(waiter));
  }

  // ---- the successor of a hold ----

  @Override
  public @Nullable Claim successor(RemoteLease lease) {
    return waiters.successor(lease);
  }

  @Override
  public boolean areAny() {
    return !waiters.isEmpty();
  }

  @Override
  public void handOver(RemoteLease lease) {
    waiters.handOver(lease);
  }

  @Override
  public void givenBack(boolean wokeAnother) {
    waiters.givenBack(wokeAnother);
  }

  // ---- for holders ----

  /**
   * Serves an acquisition from the holds of its owner or its process, if that takes no waiter; else
   * returns null. See {@link Holds#join}.
   */
  @Nullable Lease join(Object owner, LockOptions options) {
    HoldEntry entry = holds.join(owner, options);
    return entry == null ? null : new LeaseHandle(holdCalls, entry);
  }

  public HoldCalls holdCalls() {
    return holdCalls;
  }

  // ---- closing ----

  /**
   * Fails the waiters and signals the hold as lost. The future completes when the hold has no
   * handles left.
   */
  public CompletableFuture<Void> close() {
    return monitor.computed(
        () -> {
          waiters.failClosed();
          return holds.close(
              new LeaseLoss(
                  monitor.kind(),
                  monitor.name(),
                  LeaseLoss.Reason.CLOSED,
                  "the lock manager was closed"));
        });
  }
}
