package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.List;

/**
 * How far a waiter's request to the store is, and what its token may have there. A value: an event
 * gives the next state and the actions that follow from it, in order. It has no mutex, clock,
 * thread or store, so a test tries every sequence of events on it.
 *
 * <pre>
 *            Ask                  Granted, Failed for good, Missed
 *   IDLE ----------> ASKED -------------------------------------------> IDLE
 *    ^               ^   |
 *    |               |   | Refused          Judged
 *    |           Ask |   '---------> REFUSED ------> PAUSED, or Ask at once
 *    |               |
 *    '------------ PAUSED &lt;-- Failed, where another answer may come
 *    PauseEnded, Woken
 * </pre>
 *
 * <p>{@code Left} may come in each phase: a request on its way is kept until its answer is here.
 * {@code Adopted} gives it another waiter.
 *
 * @param phase where the request is
 * @param needed whether a waiter needs it
 * @param woken whether a wake-up came since it was sent
 * @param sent whether it was ever sent
 * @param backsOff whether its last answer was a failure
 * @param queued whether the store may have the token in the queue
 * @param mayHold whether the store may have granted the token, or may yet do so, without an answer
 */
record RequestState(
    Phase phase,
    boolean needed,
    boolean woken,
    boolean sent,
    boolean backsOff,
    boolean queued,
    boolean mayHold) {

  enum Phase {
    /** Nothing is under way. */
    IDLE,
    /** It is on its way to the store. */
    ASKED,
    /** It was refused; whether by this process itself is found out in the same turn. */
    REFUSED,
    /** It waits for a timer, a wake-up, or for listening to begin. */
    PAUSED
  }

  /** What happens to a request. */
  sealed interface Event {
    /**
     * It is sent.
     *
     * @param queues whether the token joins the queue on the store if it is refused
     */
    record Ask(boolean queues) implements Event {}

    /** It is not sent yet, but after a pause. */
    record Deferred() implements Event {}

    /**
     * Its answer, or the failure of the call, came when no waiter needed it any more.
     *
     * @param mayHold whether the store has granted it, or may have, or may yet do so
     */
    record Missed(boolean mayHold) implements Event {}

    /** The store has granted it in time. */
    record Granted(RemoteLease lease) implements Event {}

    /** The store says that the lock is held. */
    record Refused() implements Event {}

    /**
     * It is known what a refusal means.
     *
     * @param again whether the holder may have been this process itself
     */
    record Judged(boolean again) implements Event {}

    /**
     * There is no answer, or one of no use.
     *
     * @param mayHaveRun whether the store may have granted it, or may yet do so
     * @param ends whether this is the outcome of its waiter
     */
    record Failed(LockException why, boolean mayHaveRun, boolean ends) implements Event {}

    /**
     * A wake-up came, or listening has begun.
     *
     * @param mayAsk whether it is its waiter's turn to ask
     */
    record Woken(boolean mayAsk) implements Event {}

    /**
     * A pause is over.
     *
     * @param mayAsk whether it is its waiter's turn to ask
     */
    record PauseEnded(boolean mayAsk) implements Event {}

    /** Its waiter has its outcome. */
    record Left() implements Event {}

    /** Another waiter, which has not asked, takes it over. */
    record Adopted() implements Event {}
  }

  /** Why a request pauses, which says for how long. */
  enum Why {
    /** A waiter of another process was woken, and goes first. */
    COURTESY,
    /** The lock is held. */
    HELD,
    /** The store gave no answer. */
    NO_ANSWER
  }

  /** What follows from an event. */
  sealed interface Effect {
    /** Ask, which is an event of its own. */
    record AskNow() implements Effect {}

    /** Start the timer of a pause. */
    record Pause(Why why) implements Effect {}

    /** The waiter has the lease; the token is the lease's. */
    record Take(RemoteLease lease) implements Effect {}

    /** The waiter fails. */
    record Fail(LockException why) implements Effect {}

    /** Count it among what this process may have on the store without a waiter. */
    record Keep() implements Effect {}

    /** Do not count it there. */
    record Forget() implements Effect {}

    /**
     * Tell the store that the token is no longer wanted.
     *
     * @param leave whether it may be in the queue
     * @param release whether it may have the lock
     */
    record Withdraw(boolean leave, boolean release) implements Effect {}
  }

  /** The next state, and what follows. */
  record Step(RequestState state, List<Effect> effects) {}

  /** A waiter needs it, and it was not sent yet. */
  static final RequestState NEW =
      new RequestState(Phase.IDLE, true, false, false, false, false, false);

  /**
   * Takes in an event.
   *
   * @throws IllegalStateException if the event can't happen in this state
   */
  Step on(Event event) {
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
    } else if (event instanceof Event.Refused) {
      check(needed && phase == Phase.ASKED, event);
      return in(Phase.REFUSED).with();
    } else if (event instanceof Event.Judged judged) {
      check(needed && phase == Phase.REFUSED, event);
      return judged.again() || woken
          ? in(Phase.IDLE).with(new Effect.AskNow())
          : in(Phase.PAUSED).with(new Effect.Pause(Why.HELD));
    } else if (event instanceof Event.Failed failed) {
      return failed(failed);
    } else if (event instanceof Event.Woken how) {
      return new RequestState(phase, needed, true, sent, backsOff, queued, mayHold)
          .pauseEnded(how.mayAsk());
    } else if (event instanceof Event.PauseEnded how) {
      return pauseEnded(how.mayAsk());
    } else if (event instanceof Event.Left) {
      return phase == Phase.ASKED ? needed(false).with(new Effect.Keep()) : withdrawn();
    }
    return needed(true).with(new Effect.Forget()); // Adopted
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

  /** Where it is not its waiter's turn, the end of a later turn starts the request again. */
  private Step pauseEnded(boolean mayAsk) {
    if (phase != Phase.PAUSED || !needed) {
      return with();
    }
    return mayAsk ? in(Phase.IDLE).with(new Effect.AskNow()) : in(Phase.IDLE).with();
  }

  /** A place in the queue may be the reason why another is refused, as a grant may. */
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
