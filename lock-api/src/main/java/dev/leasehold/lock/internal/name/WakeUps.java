package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A watch on the store while somebody waits; never two at a time. Every method runs under the mutex
 * of those who wait.
 */
public final class WakeUps {
  private final Mutex turns;
  private final BiFunction<LeaseKey, Runnable, CompletableFuture<Watch>> watching;
  private final Runnable wakeUp;
  private boolean opening;
  private boolean wanted;
  private @Nullable Watch watch;

  /**
   * Nobody listens yet.
   *
   * @param watching listens on the store
   * @param wakeUp a step under the mutex
   */
  public WakeUps(
      Mutex turns,
      BiFunction<LeaseKey, Runnable, CompletableFuture<Watch>> watching,
      Runnable wakeUp) {
    this.turns = turns;
    this.watching = watching;
    this.wakeUp = wakeUp;
  }

  public boolean isOpen() {
    return watch != null;
  }

  /**
   * Begins to listen. The waiter is woken once it does: what was released before, no message tells.
   */
  public void open(LeaseKey waiter) {
    wanted = true;
    if (!opening) {
      opening = true;
      turns.after(() -> send(waiter));
    }
  }

  private void send(LeaseKey waiter) {
    Runnable woken = () -> turns.locked(wakeUp);
    turns.onAnswer(watching.apply(waiter, woken), (begun, failure) -> answered(begun));
  }

  private void answered(@Nullable Watch begun) {
    opening = false;
    if (begun != null && !wanted) {
      turns.after(begun::close);
    } else if (begun != null) {
      watch = begun;
      wakeUp.run();
    }
  }

  public void close() {
    wanted = false;
    Watch open = watch;
    if (open != null) {
      watch = null;
      turns.after(open::close);
    }
  }
}
