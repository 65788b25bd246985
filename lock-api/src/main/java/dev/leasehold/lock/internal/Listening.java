package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import org.jspecify.annotations.Nullable;

/**
 * A watch on the store while somebody waits; never two at a time. Every method runs under the
 * cell's mutex.
 */
final class Listening {
  private final LockCell cell;
  private final StoreOperations store;
  private final Runnable wakeUp;
  private boolean opening;
  private boolean wanted;
  private @Nullable Watch watch;

  Listening(LockCell cell, StoreOperations store, Runnable wakeUp) {
    this.cell = cell;
    this.store = store;
    this.wakeUp = wakeUp;
  }

  boolean isOpen() {
    return watch != null;
  }

  /**
   * Begins to listen. The waiter is woken once it does: what was released before, no message tells.
   */
  void open(LeaseKey waiter) {
    wanted = true;
    if (!opening) {
      opening = true;
      cell.after(() -> send(waiter));
    }
  }

  private void send(LeaseKey waiter) {
    Runnable woken = () -> cell.locked(wakeUp);
    cell.onAnswer(store.watch(waiter, woken), (begun, failure) -> answered(begun));
  }

  private void answered(@Nullable Watch begun) {
    opening = false;
    if (begun != null && !wanted) {
      cell.after(begun::close);
    } else if (begun != null) {
      watch = begun;
      wakeUp.run();
    }
  }

  void close() {
    wanted = false;
    Watch open = watch;
    if (open != null) {
      watch = null;
      cell.after(open::close);
    }
  }
}
