package dev.leasehold.lock.internal.lease;

/**
 * What becomes of a lease in this process when its holds end. A value: an event gives the next
 * state and the effect that follows from it. It has no mutex, clock, thread or store, so a test can
 * try every sequence of events on it.
 *
 * <pre>
 *     Left (a waiter is ready): PASS_ON
 *       .---.
 *       |   v                             Renewed (a waiter is ready): PASS_ON
 *      HELD &lt;-------------------------------------------------------------.
 *       | ^ '-- Left (a waiter needs a longer lease): RENEW ----------&gt; PASSING
 *       | |                                                                |
 *       | '---- Claimed (the claim suits): TAKE -----.                     | Renewed
 *       '------ Left (the lease lingers): KEEP ----&gt; IDLE                  | otherwise:
 *       |                                             | Claimed otherwise, | GIVE_BACK;
 *       | Left otherwise: RELEASE                     | Recalled, TimeUp:  | DROP if the
 *       | Unused: DISCARD, Gone: DROP                 | GIVE_BACK          | store lost it
 *       v                                             v                    v
 *      ENDED &lt;--------- Unused: DISCARD, Gone: DROP --'--------------------'
 * </pre>
 *
 * <p>A lease that ended stays so: no event has an effect on it. That is what makes its release
 * happen once, whichever of several steps under the mutex comes first.
 *
 * @param phase the phase of the lease
 * @param used how many fencing numbers hand-overs have used
 * @param numbers how many the store has reserved for hand-overs; the largest integer without
 *     fencing
 * @param beside whether its owner has another lease, which is valid only beside this one: then it
 *     is released, neither passed on nor kept
 * @param wanted whether another manager wants it, as far as is known
 */
public record LeaseState(Phase phase, int used, int numbers, boolean beside, boolean wanted) {

  public enum Phase {
    /** It has holds, or lost holds that their owners have not yet released. */
    HELD,
    /** Its last hold ended, and it is renewed before it passes to a waiter. */
    PASSING,
    /** It has no hold, and is kept for the next claim of this process ({@code lock.linger}). */
    IDLE,
    /** It was released, or the store no longer has it. */
    ENDED
  }

  /** A waiter of this process to which a lease without holds may pass. */
  public enum Successor {
    NONE,
    /** What is left of the lease is enough for the waiter. */
    READY,
    /** The lease must be renewed first. */
    AFTER_RENEWAL
  }

  /** An event in the life of a lease. */
  public sealed interface Event {
    /**
     * Its last hold was released.
     *
     * @param lingers whether it may be kept, if it does not pass to a waiter
     */
    record Left(Successor next, boolean lingers) implements Event {
      /** It passes to no waiter, and is not kept. */
      public static final Left FOR_GOOD = new Left(Successor.NONE, false);
    }

    /**
     * The renewal before a hand-over was answered, or failed.
     *
     * @param confirmed whether the store has confirmed it
     * @param suits whether the lease now suits the next waiter, if there is one
     */
    record Renewed(boolean confirmed, boolean suits) implements Event {}

    /** A claim of this process comes while it has no hold. */
    record Claimed(boolean suits) implements Event {}

    /** Another manager wants it. */
    record Recalled() implements Event {}

    /** It has been kept for long enough. */
    record TimeUp() implements Event {}

    /** Its owner was granted another lease beside it. */
    record StandsBeside() implements Event {}

    /** It is no longer used, and no caller waits for the answer to its release. */
    record Unused() implements Event {}

    /** The store no longer has it. */
    record Gone() implements Event {}
  }

  /** The effect of an event. */
  public enum Effect {
    NONE,
    /** Begin the hold of the next waiter, with the next fencing number. */
    PASS_ON,
    /** Renew it for the next waiter. */
    RENEW,
    /** Keep it, and start the timer that ends that. */
    KEEP,
    /** Begin the hold of the claim, with the next fencing number. */
    TAKE,
    /** Release it on the store; the answer is the outcome of the release of its last hold. */
    RELEASE,
    /** Release it on the store; its last hold has its outcome already. */
    GIVE_BACK,
    /** Release it in the background. */
    DISCARD,
    /**
     * Stop renewing, timing and listening. The store does not have the lease, or it is not known
     * whether it has, and the release is in other hands.
     */
    DROP
  }

  /** The next state, and the effect. */
  public record Step(LeaseState state, Effect effect) {}

  /** The state of a fenced lease without hand-overs: such leases take no memory for it. */
  private static final LeaseState ALONE = new LeaseState(Phase.HELD, 0, 0, false, false);

  /** Returns the state of a lease that was just granted. */
  static LeaseState granted(int numbers, boolean wanted) {
    return numbers == 0 && !wanted ? ALONE : new LeaseState(Phase.HELD, 0, numbers, false, wanted);
  }

  /** Returns whether there is a fencing number for one more hold. */
  boolean hasNumber() {
    return used < numbers;
  }

  /** Returns whether another hold may follow on it. */
  boolean mayGoOn() {
    return !beside && hasNumber();
  }

  /**
   * Processes an event.
   *
   * @throws IllegalStateException if the event can't happen in this state
   */
  public Step on(Event event) {
    if (phase == Phase.ENDED) {
      return new Step(this, Effect.NONE);
    } else if (event instanceof Event.Left left) {
      check(phase == Phase.HELD, event);
      return left(left);
    } else if (event instanceof Event.Renewed renewed) {
      check(phase == Phase.PASSING, event);
      return !renewed.confirmed()
          ? ended(Effect.DROP)
          : renewed.suits() && mayGoOn() ? next(Effect.PASS_ON) : ended(Effect.GIVE_BACK);
    } else if (event instanceof Event.Claimed claimed) {
      check(phase == Phase.IDLE, event);
      return claimed.suits() && mayGoOn() ? next(Effect.TAKE) : ended(Effect.GIVE_BACK);
    } else if (event instanceof Event.Recalled) {
      LeaseState recalled = new LeaseState(phase, used, numbers, beside, true);
      return phase == Phase.IDLE ? recalled.ended(Effect.GIVE_BACK) : recalled.with(Effect.NONE);
    } else if (event instanceof Event.TimeUp) {
      return phase == Phase.IDLE ? ended(Effect.GIVE_BACK) : with(Effect.NONE);
    } else if (event instanceof Event.StandsBeside) {
      check(phase == Phase.HELD, event);
      return new LeaseState(phase, used, numbers, true, wanted).with(Effect.NONE);
    }
    check(phase != Phase.PASSING, event); // the answer to its renewal decides
    return ended(event instanceof Event.Unused ? Effect.DISCARD : Effect.DROP);
  }

  private void check(boolean possible, Event event) {
    if (!possible) {
      throw new IllegalStateException(event + " in " + this);
    }
  }

  private Step left(Event.Left left) {
    if (mayGoOn() && left.next() == Successor.READY) {
      return next(Effect.PASS_ON);
    }
    if (mayGoOn() && left.next() == Successor.AFTER_RENEWAL) {
      return in(Phase.PASSING).with(Effect.RENEW);
    }
    return mayGoOn() && left.lingers() && !wanted
        ? in(Phase.IDLE).with(Effect.KEEP)
        : ended(Effect.RELEASE);
  }

  private Step next(Effect how) {
    return new LeaseState(Phase.HELD, used + 1, numbers, beside, wanted).with(how);
  }

  private Step ended(Effect how) {
    return in(Phase.ENDED).with(how);
  }

  private LeaseState in(Phase next) {
    return new LeaseState(next, used, numbers, beside, wanted);
  }

  private Step with(Effect effect) {
    return new Step(this, effect);
  }
}
