package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A watch on the store while somebody waits; never two at a time. Every method runs under the
 * cell's mutex.
 */
final class Listening {
  private final LockCell cell;
  private final Env env;
  private final Runnable wakeUp;
  private final List<Asked> asked = new ArrayList<>(0);
  private boolean opening;
  private boolean wanted;
  private @Nullable Watch watch;

  /** What to run when listening has begun, or could not. */
  private record Asked(Runnable opened, Runnable failed) {}

  Listening(LockCell cell, Env env, Runnable wakeUp) {
    this.cell = cell;
    this.env = env;
    this.wakeUp = wakeUp;
  }

  boolean isOpen() {
    return watch != null;
  }

  /** Begins to listen, and then runs one of the two. */
  void open(LeaseKey waiter, Runnable opened, Runnable failed) {
    wanted = true;
    asked.add(new Asked(opened, failed));
    if (!opening) {
      opening = true;
      cell.after(() -> send(waiter));
    }
  }

  private void send(LeaseKey waiter) {
    Runnable woken = () -> cell.locked(wakeUp);
    cell.onAnswer(
        env.calls().send(cell.name(), "watch", () -> env.store().watch(waiter, woken)),
        (begun, failure) -> answered(begun));
  }

  private void answered(@Nullable Watch begun) {
    opening = false;
    if (begun != null && !wanted) {
      cell.after(begun::close);
    } else {
      watch = begun;
    }
    List<Asked> told = List.copyOf(asked);
    asked.clear();
    told.forEach(one -> (begun == null ? one.failed : one.opened).run());
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
