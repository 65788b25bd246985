package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to wake-ups of the store while there are waiters; there are never two at a time.
 * Every method runs under the waiters' mutex.
 */
public final class WakeUps {
  private final Monitor monitor;
  private final BiFunction<LeaseKey, Runnable, CompletableFuture<Watch>> watching;
  private final Runnable wakeUp;
  private boolean opening;
  private boolean wanted;
  private @Nullable Watch watch;

  /**
   * Creates a closed subscription.
   *
   * @param watching subscribes on the store
   * @param wakeUp a step under the mutex
   */
  public WakeUps(
      Monitor monitor,
      BiFunction<LeaseKey, Runnable, CompletableFuture<Watch>> watching,
      Runnable wakeUp) {
    this.monitor = monitor;
    this.watching = watching;
    this.wakeUp = wakeUp;
  }

  public boolean isOpen() {
    return watch != null;
  }

  /** Returns whether there is no subscription, nor one on its way. */
  public boolean isClosed() {
    return watch == null && !opening;
  }

  /**
   * Opens the subscription. The waiter is woken once it is active, because a release before that
   * sends no message to it.
   */
  public void open(LeaseKey waiter) {
    wanted = true;
    if (!opening) {
      opening = true;
      monitor.after(() -> send(waiter));
    }
  }

  private void send(LeaseKey waiter) {
    Runnable woken = () -> monitor.locked(wakeUp);
    monitor.onAnswer(watching.apply(waiter, woken), (begun, failure) -> answered(begun));
  }

  private void answered(@Nullable Watch begun) {
    opening = false;
    if (begun != null && !wanted) {
      monitor.after(begun::close);
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
      monitor.after(open::close);
    }
  }
}
