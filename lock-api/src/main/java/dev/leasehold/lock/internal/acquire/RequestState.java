package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.List;

/**
 * The progress of a waiter's request to the store, for a lock or a latch, and what the store may
 * hold for its token. A value: an event gives the next state and the effects that follow from it,
 * in order. It has no mutex, clock, thread or store, so a test can try every sequence of events on
 * it.
 *
 * <pre>
 *            Ask              Granted, Passed, Failed for good, Missed
 *   IDLE ----------> ASKED -------------------------------------------> IDLE
 *    ^               ^   |
 *    |               |   | Refused          Judged, Recalled
 *    |           Ask |   '---------> REFUSED ------> PAUSED, or Ask at once
 *    |               |                  '----------> RETURNING
 *    |               |                    Returning
 *    '------------ PAUSED &lt;-- Failed, where another answer may come
 *    |  PauseEnded, Woken
 *    '------------ RETURNING
 *       PauseEnded
 * </pre>
 *
 * <p>{@code Left} may come in any phase: a request under way is kept until its answer arrives.
 * {@code Adopted} assigns the request to another waiter.
 *
 * @param phase the phase of the request
 * @param needed whether a waiter needs it
 * @param woken whether a wake-up came since it was sent
 * @param sent whether it was ever sent
 * @param backsOff whether its last answer was a failure
 * @param queued whether the store may have the token in the queue
 * @param mayHold whether the store may have granted the token, or may yet do so, without an answer
 */
public record RequestState(
    Phase phase,
    boolean needed,
    boolean woken,
    boolean sent,
    boolean backsOff,
    boolean queued,
    boolean mayHold) {

  public enum Phase {
    /** No request is under way. */
    IDLE,
    /** A request was sent, and has no answer yet. */
    ASKED,
    /**
     * The request was refused; whether this process itself is the reason is determined in the same
     * step under the mutex.
     */
    REFUSED,
    /**
     * The request waits for a timer, a wake-up, or the confirmation that a subscription is active.
     */
    PAUSED,
    /** The request waits for a timer alone, since a wake-up would come no sooner. */
    RETURNING
  }

  /** An event in the course of a request. */
  public sealed interface Event {
    /**
     * The request is sent.
     *
     * @param queues whether the token joins the queue on the store if it is refused
     */
    record Ask(boolean queues) implements Event {}

    /** The request is not sent yet, but after a pause. */
    record Deferred() implements Event {}

    /**
     * The answer, or the failure of the call, came when no waiter needed it any more.
     *
     * @param mayHold whether the store has granted it, or may have, or may yet do so
     */
    record Missed(boolean mayHold) implements Event {}

    /** The store granted the lock in time. */
    record Granted(RemoteLease lease) implements Event {}

    /** The store says that the latch is open, so the token is not in its queue any more. */
    record Passed() implements Event {}

    /** The store says that the lock is held, or the latch closed. */
    record Refused() implements Event {}

    /**
     * The reason for a refusal has been judged.
     *
     * @param again whether the holder may have been this process itself
     */
    record Judged(boolean again) implements Event {}

    /**
     * Instead of {@link Judged}: the holder was asked to give the lock back if it does not use it,
     * and the waiter asks once more before it counts as refused.
     */
    record Recalled() implements Event {}

    /**
     * Instead of {@link Judged}: the refusal has recalled the lease, which may be back in a moment.
     */
    record Returning() implements Event {}

    /**
     * There is no answer, or no usable one.
     *
     * @param mayHaveRun whether the store may have granted it, or may yet do so
     * @param ends whether this is the outcome of its waiter
     */
    record Failed(LockException why, boolean mayHaveRun, boolean ends) implements Event {}

    /**
     * A wake-up came, or a subscription became active.
     *
     * @param mayAsk whether it is its waiter's turn to ask
     */
    record Woken(boolean mayAsk) implements Event {}

    /**
     * A pause ended.
     *
     * @param mayAsk whether it is its waiter's turn to ask
     */
    record PauseEnded(boolean mayAsk) implements Event {}

    /** The waiter has an outcome. */
    record Left() implements Event {}

    /** Another waiter, which has not asked yet, takes the request over. */
    record Adopted() implements Event {}
  }

  /** Why a request pauses, which determines for how long. */
  public enum Why {
    /** A waiter of another process was woken, and goes first. */
    COURTESY,
    /** The lock is held. */
    HELD,
    /** The holder may give the lock back at once. */
    RECALLED,
    /** The refusal itself asked the holder to. */
    RETURNING,
    /** The store gave no answer. */
    NO_ANSWER
  }

  /** An effect of an event. */
  public sealed interface Effect {
    /** Send the request, which is an event of its own. */
    record AskNow() implements Effect {}

    /** Start the timer of a pause. */
    record Pause(Why why) implements Effect {}

    /** Give the lease to the waiter; the token now belongs to the lease. */
    record Take(RemoteLease lease) implements Effect {}

    /** Fail the waiter. */
    record Fail(LockException why) implements Effect {}

    /** Count the token among those that this process may have on the store without a waiter. */
    record Keep() implements Effect {}

    /** Stop counting the token there. */
    record Forget() implements Effect {}

    /**
     * Notify the store that the token is no longer wanted.
     *
     * @param leave whether it may be in the queue
     * @param release whether it may have the lock
     */
    record Withdraw(boolean leave, boolean release) implements Effect {}
  }

  /** The next state, and the effects. */
  public record Step(RequestState state, List<Effect> effects) {}

  /** The state of a request that a waiter needs and that was not sent yet. */
  public static final RequestState NEW =
      new RequestState(Phase.IDLE, true, false, false, false, false, false);

  /**
   * Processes an event.
   *
   * @throws IllegalStateException if the event can't happen in this state
   */
  public Step on(Event event) {
    if (event instanceof Event.Ask ask) {
      check(needed && phase != Phase.ASKED, event);
      return new RequestState(
              Phase.ASKED, true, false, true, false, queued || ask.queues(), mayHold)
          .with();
    } else if (event instanceof Event.Deferred) {
      check(needed && phase == Phase.IDLE, event);
      return in(Phase.PAUSED).with(new Effect.Pause(Why.COURTESY));
    } else if (event instanceof Event.Missed missed) {
      check(!needed && phase == Phase.ASKED, event);
      return holding(missed.mayHold()).withdrawn();
    } else if (event instanceof Event.Granted granted) {
      check(needed && phase == Phase.ASKED, event);
      return new RequestState(Phase.IDLE, true, woken, sent, backsOff, false, false)
          .with(new Effect.Take(granted.lease()));
    } else if (event instanceof Event.Passed) {
      check(needed && phase == Phase.ASKED, event);
      return new RequestState(Phase.IDLE, true, woken, sent, backsOff, false, false).with();
    } else if (event instanceof Event.Refused) {
      check(needed && phase == Phase.ASKED, event);
      return in(Phase.REFUSED).with();
    } else if (event instanceof Event.Judged judged) {
      check(needed && phase == Phase.REFUSED, event);
      return judged.again() || woken
          ? in(Phase.IDLE).with(new Effect.AskNow())
          : in(Phase.PAUSED).with(new Effect.Pause(Why.HELD));
    } else if (event instanceof Event.Recalled) {
      check(needed && phase == Phase.REFUSED, event);
      return in(Phase.PAUSED).with(new Effect.Pause(Why.RECALLED));
    } else if (event instanceof Event.Returning) {
      check(needed && phase == Phase.REFUSED, event);
      return woken
          ? in(Phase.IDLE).with(new Effect.AskNow())
          : in(Phase.RETURNING).with(new Effect.Pause(Why.RETURNING));
    } else if (event instanceof Event.Failed failed) {
      return failed(failed);
    } else if (event instanceof Event.Woken how) {
      RequestState next = new RequestState(phase, needed, true, sent, backsOff, queued, mayHold);
      return phase == Phase.RETURNING ? next.with() : next.pauseEnded(how.mayAsk());
    } else if (event instanceof Event.PauseEnded how) {
      return pauseEnded(how.mayAsk());
    } else if (event instanceof Event.Left) {
      return phase == Phase.ASKED ? needed(false).with(new Effect.Keep()) : withdrawn();
    }
    return needed(true).with(new Effect.Forget()); // Adopted
  }

  /** Returns whether a timer will end a pause. */
  boolean isPaused() {
    return phase == Phase.PAUSED || phase == Phase.RETURNING;
  }

  private void check(boolean possible, Event event) {
    if (!possible) {
      throw new IllegalStateException(event + " in " + this);
    }
  }

  private Step failed(Event.Failed failed) {
    RequestState next = in(Phase.IDLE).holding(failed.mayHaveRun());
    if (!needed) {
      return next.withdrawn();
    }
    return failed.ends() || !failed.mayHaveRun()
        ? next.with(new Effect.Fail(failed.why()))
        : new RequestState(Phase.PAUSED, true, woken, sent, true, queued, true)
            .with(new Effect.Pause(Why.NO_ANSWER));
  }

  /**
   * Ends a pause. If it is not the waiter's turn, the end of a later step under the mutex starts
   * the request again.
   */
  private Step pauseEnded(boolean mayAsk) {
    if (!isPaused() || !needed) {
      return with();
    }
    return mayAsk ? in(Phase.IDLE).with(new Effect.AskNow()) : in(Phase.IDLE).with();
  }

  /**
   * Withdraws the token. It counts as unsettled until then, since its place in the queue, like a
   * grant, may be why another request is refused.
   */
  private Step withdrawn() {
    RequestState none = new RequestState(Phase.IDLE, false, woken, sent, backsOff, false, false);
    return queued || mayHold
        ? none.with(new Effect.Keep(), new Effect.Withdraw(queued, mayHold))
        : none.with(new Effect.Forget());
  }

  private RequestState in(Phase next) {
    return new RequestState(next, needed, woken, sent, backsOff, queued, mayHold);
  }

  private RequestState needed(boolean isNeeded) {
    return new RequestState(phase, isNeeded, woken, sent, backsOff, queued, mayHold);
  }

  private RequestState holding(boolean may) {
    return new RequestState(phase, needed, woken, sent, backsOff, queued, mayHold || may);
  }

  private Step with(Effect... effects) {
    return new Step(this, List.of(effects));
  }
}
