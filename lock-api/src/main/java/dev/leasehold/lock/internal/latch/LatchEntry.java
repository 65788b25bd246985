package dev.leasehold.lock.internal.latch;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.acquire.RequestState.Effect;
import dev.leasehold.lock.internal.acquire.RequestState.Event;
import dev.leasehold.lock.internal.acquire.RequestState.Phase;
import dev.leasehold.lock.internal.acquire.RequestState.Why;
import dev.leasehold.lock.internal.acquire.Requester;
import dev.leasehold.lock.internal.acquire.Waiter.Patience;
import dev.leasehold.lock.internal.calls.Backoff;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.WakeUps;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.Latches.State;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this process for one latch, and their common request to the store. While the latch
 * is not at zero, it is repeated after a wake-up, the latch's end or the wait strategy's pause.
 * Guarded by a {@link Monitor} of its own.
 */
final class LatchEntry extends Requester<Optional<State>> implements Monitor.Owner {
  private final StoreOperations operations;
  private final Latches latches;

  /** Whether the store wakes waiters. */
  private final boolean wakes;

  private final Consumer<LatchEntry> onIdle;
  private final Monitor monitor;
  private final WakeUps wakeUps;
  private final LinkedHashSet<LatchWaiter> waiters = new LinkedHashSet<>();
  private final Backoff backoff = new Backoff();

  /** When the latch ends, if it was closed when the store last answered. */
  private Optional<Duration> left = Optional.empty();

  private boolean dead;

  LatchEntry(String name, KindServices services, Latches latches, Consumer<LatchEntry> onIdle) {
    this.monitor = new Monitor(name, services, this);
    this.operations = services.operations();
    this.latches = latches;
    this.wakes = services.promises(Guarantee.WAKE_UP);
    this.onIdle = onIdle;
    this.wakeUps =
        new WakeUps(
            monitor,
            (waiter, woken) ->
                operations.send(monitor.name(), "watch", () -> latches.watch(waiter, woken)),
            this::wokenUp);
  }

  // ---- coming and going ----

  /** Adds a waiter. Returns false if this entry is dead, and its table has, or gets, another. */
  boolean enter(LatchWaiter waiter) {
    return monitor.computed(
        () -> {
          if (dead) {
            return false;
          }
          waiters.add(waiter);
          backoff.reset();
          if (monitor.isClosing()) {
            failed(waiter, Lifecycle.closedFailure());
          } else if (state().phase() != Phase.ASKED) {
            ask();
          }
          return true;
        });
  }

  /** Gives a waiter's place up: true if it had no outcome yet. Its future is left to the caller. */
  boolean giveUp(LatchWaiter waiter) {
    return monitor.computed(() -> decide(waiter, () -> {}));
  }

  /** A timed waiter's time is up. */
  void timeUp(LatchWaiter waiter) {
    monitor.locked(
        () -> {
          if (waiter.sawItClosed()) {
            decide(waiter, () -> waiter.outcome.complete(false));
          } else {
            failed(waiter, monitor.store().useless(waiter.arrived));
          }
        });
  }

  private boolean decide(LatchWaiter waiter, Runnable completion) {
    if (!waiter.settle()) {
      return false;
    }
    waiters.remove(waiter);
    monitor.after(completion);
    return true;
  }

  private void failed(LatchWaiter waiter, LockException failure) {
    decide(waiter, () -> waiter.fail(failure));
  }

  private void failAll(LockException failure) {
    List.copyOf(waiters).forEach(waiter -> failed(waiter, failure));
  }

  /** The manager closes. */
  void close() {
    monitor.locked(() -> failAll(Lifecycle.closedFailure()));
  }

  // ---- the request; under the mutex ----

  @Override
  protected void perform(Effect effect) {
    if (effect instanceof Effect.Fail fail) {
      failAll(fail.why());
    } else if (effect instanceof Effect.Withdraw withdraw && withdraw.leave()) {
      LeaseKey mine = key();
      monitor.after(() -> leave(mine)); // a look takes nothing that could be released
    }
  }

  @Override
  protected Monitor monitor() {
    return monitor;
  }

  @Override
  protected LeaseKey newKey() {
    return operations.freshKey(monitor.name());
  }

  @Override
  protected void askNow() {
    LeaseKey mine = key();
    // A place in the line is useful only if a wake-up would be received.
    boolean queues = wakeUps.isOpen();
    on(new Event.Ask(queues));
    monitor.after(() -> send(mine, queues ? IfHeld.ENQUEUE : IfHeld.REFUSE));
  }

  private void send(LeaseKey mine, IfHeld ifClosed) {
    long sentAt = monitor.now();
    onAnswer(operations.send(monitor.name(), "look", () -> latches.look(mine, ifClosed)), sentAt);
  }

  // onAnswer gives null for an answer that there is none of.
  @Override
  @SuppressWarnings("NullableOptional")
  protected void answered(
      long sentAt, @Nullable Optional<State> answer, @Nullable LockException failure) {
    if (!state().needed()) {
      on(new Event.Missed(false));
    } else if (answer != null) {
      answered(sentAt, answer);
    } else if (failure != null) {
      failed(failure, sentAt);
    }
  }

  private void answered(long sentAt, Optional<State> answer) {
    monitor.answered();
    if (wakes) {
      backoff.reset();
    }
    boolean closed = answer.isEmpty() || answer.get().isOver() || answer.get().count() > 0;
    on(closed ? new Event.Refused() : new Event.Passed());
    boolean stale = !closed;
    long now = monitor.now();
    for (LatchWaiter waiter : List.copyOf(waiters)) {
      if (waiter.arrived - sentAt > 0) {
        stale = true; // it may have arrived after the state that the answer shows
      } else {
        tell(waiter, waiter.judge(answer, now));
      }
    }
    left = answer.filter(seen -> !seen.isOver()).map(State::left);
    if (waiters.isEmpty()) {
      return; // settle() ends the request
    }
    if (closed) {
      on(new Event.Judged(stale));
    } else {
      ask(); // for those that arrived since
    }
  }

  private void tell(LatchWaiter waiter, LatchWaiter.Verdict verdict) {
    switch (verdict) {
      case PASSES -> decide(waiter, () -> waiter.outcome.complete(true));
      case EXPIRED -> failed(waiter, LatchWaiter.expired(monitor.name()));
      case WAITS -> {
        if (!waiter.waits()) {
          decide(waiter, () -> waiter.outcome.complete(false));
        }
      }
    }
  }

  @Override
  protected Duration length(Why why) {
    if (why == Why.HELD && wakes && !wakeUps.isOpen()) {
      wakeUps.open(key());
    }
    return why == Why.HELD ? untilWoken() : backoff.afterFailure();
  }

  @Override
  protected void pauseEnded() {
    on(new Event.PauseEnded(true));
  }

  /** Returns how long to wait for a wake-up, which may be lost. */
  private Duration untilWoken() {
    WaitStrategy strategy = monitor.services().config().defaults().waitStrategy();
    Duration longest =
        wakes ? strategy.longest() : backoff.next(strategy.shortestPoll(), strategy.longestPoll());
    Duration untilEnd = left.orElse(longest).plusMillis(1);
    return untilEnd.compareTo(longest) < 0 ? untilEnd : longest;
  }

  private void failed(LockException failure, long sentAt) {
    monitor.troubled(failure, sentAt);
    Duration storeTimeout = monitor.services().config().storeTimeout();
    for (LatchWaiter waiter : List.copyOf(waiters)) {
      boolean unbounded = waiter.patience == Patience.UNBOUNDED;
      if (!waiter.waits()
          || (unbounded
              && monitor.store().uselessFor(waiter.arrived).compareTo(storeTimeout) >= 0)) {
        failed(waiter, failure);
      }
    }
    on(new Event.Failed(failure, StoreCalls.mayHaveRun(failure), waiters.isEmpty()));
  }

  /** A wake-up arrived, or the subscription began. */
  private void wokenUp() {
    on(new Event.Woken(true));
  }

  // ---- the end ----

  /** The last step under the mutex: without waiters, cleans up. */
  @Override
  public void settle() {
    if (!waiters.isEmpty()) {
      return;
    }
    wakeUps.close();
    if (state().needed()) {
      on(new Event.Left());
    }
    if (!dead) {
      dead = true;
      onIdle.accept(this);
    }
  }

  private void leave(LeaseKey mine) {
    operations.confirm(monitor.name(), "leave", () -> latches.leave(mine));
  }
}
