package dev.leasehold.lock.internal.events;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.internal.threads.BoundedLog;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Notifies listeners on the executor; creates no event without a listener. */
public final class Events {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private final List<LockListener> listeners;
  private final Executor executor;
  private final BoundedLog thrown;

  public Events(
      List<LockListener> listeners, Executor executor, Ticker ticker, Scheduler scheduler) {
    this.listeners = List.copyOf(listeners);
    this.executor = executor;
    this.thrown = new BoundedLog("callbacks that threw", executor, ticker, scheduler);
  }

  public void tell(Supplier<? extends LockEvent> event) {
    if (areHeard()) {
      tell(event.get());
    }
  }

  /** Returns whether there are listeners; otherwise no event needs to be created. */
  public boolean areHeard() {
    return !listeners.isEmpty();
  }

  /** Asks listeners for followers of an acquisition, on the thread that begins it. */
  public List<AcquisitionListener> followers(LockKind kind, String lockName) {
    if (!areHeard()) {
      return List.of();
    }
    List<AcquisitionListener> followers = new ArrayList<>(listeners.size());
    for (LockListener listener : listeners) {
      quietly(() -> listener.asked(kind, lockName).ifPresent(followers::add));
    }
    return followers;
  }

  public void tell(LockEvent event) {
    for (LockListener listener : listeners) {
      run(() -> listener.on(event));
    }
  }

  public void tell(NodeEvent event) {
    for (LockListener listener : listeners) {
      run(() -> listener.onNode(event));
    }
  }

  /** A future of its own that completes as {@code inner} does, on the executor. */
  public <T> CompletableFuture<T> handOut(CompletableFuture<T> inner) {
    CompletableFuture<T> outer = new CompletableFuture<>();
    inner.whenComplete((value, failure) -> run(() -> Waits.complete(outer, value, failure)));
    return outer;
  }

  /** Runs a user's callback on the executor; logs what it throws. */
  public void run(Runnable callback) {
    executor.execute(() -> quietly(callback));
  }

  /** Runs a callback on this thread; logs what it throws. */
  public void quietly(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException | Error e) {
      thrown.warn(
          () -> LOG.log(Level.WARNING, "a callback threw", e)); // as often as there are events
    }
  }
}
