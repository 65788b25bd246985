package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.internal.acquire.RequestState.Effect;
import dev.leasehold.lock.internal.acquire.RequestState.Event;
import dev.leasehold.lock.spi.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request at a time to the store: {@link RequestState} decides, and the subclass performs
 * the effects. Guarded by the mutex of the subclass.
 */
public abstract class Requester {
  private RequestState state = RequestState.NEW;

  /** The timer of the pause, if there is one. */
  private Scheduler.@Nullable Scheduled timer;

  protected final RequestState state() {
    return state;
  }

  protected final void on(Event event) {
    RequestState.Step step = state.on(event);
    state = step.state();
    if (timer != null && !state.isPaused()) {
      timer.cancel();
      timer = null;
    }
    step.effects().forEach(this::perform);
  }

  protected abstract void perform(Effect effect);

  /** Records the timer that ends the present pause. */
  protected final void pausedBy(Scheduler.Scheduled running) {
    timer = running;
  }
}
