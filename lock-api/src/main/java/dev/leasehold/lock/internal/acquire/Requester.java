package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.acquire.RequestState.Effect;
import dev.leasehold.lock.internal.acquire.RequestState.Event;
import dev.leasehold.lock.internal.acquire.RequestState.Why;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request at a time to the store, with one token until that is granted or withdrawn:
 * {@link RequestState} decides, and the effects are performed here and in the subclass. Guarded by
 * the mutex of the subclass, under which every method runs.
 *
 * <p>An unexpected exception, ours or a user's, fails the request: a waiter must not wait for a
 * step that has ended.
 *
 * @param <A> the store's answer
 */
public abstract class Requester<A> {
  private RequestState state = RequestState.NEW;

  /** The timer of the pause, if there is one. */
  private Scheduler.@Nullable Scheduled timer;

  private @Nullable LeaseKey key;

  protected abstract Monitor monitor();

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
    step.effects().forEach(this::performed);
  }

  private void performed(Effect effect) {
    assert monitor().isHeld();
    if (effect instanceof Effect.AskNow) {
      ask();
    } else if (effect instanceof Effect.Pause pause) {
      pause(pause.why());
    } else {
      perform(effect);
    }
  }

  /** Performs any other effect. */
  protected abstract void perform(Effect effect);

  // ---- the token ----

  /** Returns the key of its token, which is created if there is none. */
  protected final LeaseKey key() {
    LeaseKey mine = key;
    if (mine == null) {
      mine = newKey();
      key = mine;
    }
    return mine;
  }

  protected abstract LeaseKey newKey();

  protected final boolean hasToken() {
    return key != null;
  }

  /** Returns the key, and forgets it: the next request has another. Null if there is none. */
  protected final @Nullable LeaseKey takeKey() {
    LeaseKey mine = key;
    key = null;
    return mine;
  }

  // ---- the request ----

  protected final void ask() {
    try {
      askNow();
    } catch (RuntimeException | Error e) { // for example, from a user's source of randomness
      broken(e);
    }
  }

  /** Queues the request, after the event that it is sent. */
  protected abstract void askNow();

  /** Processes the answer to a call that was sent at this time. */
  protected final void onAnswer(CompletableFuture<A> call, long sentAt) {
    monitor().onAnswer(call, (answer, failure) -> take(sentAt, answer, failure));
  }

  private void take(long sentAt, @Nullable A answer, @Nullable LockException failure) {
    try {
      answered(sentAt, answer, failure);
    } catch (RuntimeException | Error e) { // the step must still complete
      broken(e);
    }
  }

  protected abstract void answered(
      long sentAt, @Nullable A answer, @Nullable LockException failure);

  private void broken(Throwable e) {
    on(new Event.Failed(StoreCalls.typed(e), true, true));
  }

  // ---- the pause ----

  private void pause(Why why) {
    try {
      Duration pause = monitor().time().jittered(length(why));
      timer = monitor().time().later(pause, () -> monitor().locked(this::pauseEnded));
    } catch (RuntimeException | Error e) { // without a timer the pause might never end
      broken(e);
    }
  }

  protected abstract Duration length(Why why);

  protected abstract void pauseEnded();
}
