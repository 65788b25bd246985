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
import dev.leasehold.lock.internal.hold.SharedLeases;
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
 * All that one manager knows of one name: who waits for it here ({@link Waiters}), and who holds it
 * ({@link Holds}). It connects the two, which know each other by what they need alone.
 *
 * <p>One {@link Monitor} guards it. Each turn ends in {@link #settle}, which starts the one
 * contender that this process has on the store.
 */
public final class LockEntry implements Successors {
  private final Consumer<LockEntry> onIdle;
  private final Monitor monitor;
  private final Holds holds;
  private final HoldCalls holdCalls;
  private final Waiters waiters;
  private boolean dead;

  /**
   * Nobody waits for it or holds it.
   *
   * @param whole the manager's store
   * @param operations by the view of the name's kind
   * @param fair whether each waiter asks for itself
   * @param wakes whether the store wakes waiters
   * @param onIdle called under the mutex when nobody needs it any more
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

  /** Ends a turn: starts who is to ask next, and ends a cell that nobody needs. */
  private void settle() {
    waiters.settle();
    if (waiters.isEmpty() && holds.isForgotten() && !dead) {
      dead = true;
      onIdle.accept(this);
    }
  }

  // ---- coming and going of waiters ----

  /** What contends on the store for one who is about to come in. */
  AcquireLoop loop(RequestSender sender, Waiter waiter) {
    return waiters.loop(sender, waiter);
  }

  /** Takes a waiter in; false if this cell is dead and its map has, or gets, another. */
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

  /** Gives a waiter's place up: true if it had no outcome yet. Its future is left to the caller. */
  public boolean giveUp(Waiter waiter) {
    return monitor.computed(() -> waiters.giveUp(waiter));
  }

  /** A timed waiter's time is up. */
  void timeUp(Waiter waiter) {
    monitor.locked(() -> waiters.timeUp(waiter));
  }

  /** The same of one that waits at least for its first answer: whether it still waits. */
  boolean endsAtAnswer(Waiter waiter) {
    return monitor.computed(() -> waiters.endsAtAnswer(waiter));
  }

  // ---- who comes after a hold ----

  @Override
  public @Nullable Claim successor(RemoteLease lease) {
    return waiters.successor(lease);
  }

  @Override
  public void handOver(RemoteLease lease) {
    waiters.handOver(lease);
  }

  @Override
  public void givenBack(boolean wokeAnother) {
    waiters.givenBack(wokeAnother);
  }

  // ---- what holders ask ----

  /** A lease past the mutex, if the owner may have one so: see {@link SharedLeases}. Else null. */
  @Nullable Lease join(Object owner, LockOptions options) {
    HoldEntry entry = holds.sharedLeases().join(owner, options);
    return entry == null ? null : new LeaseHandle(holdCalls, entry);
  }

  public HoldCalls holdCalls() {
    return holdCalls;
  }

  // ---- closing ----

  /** Fails waiters and signals the hold as lost; completes when the hold's handles are gone. */
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
