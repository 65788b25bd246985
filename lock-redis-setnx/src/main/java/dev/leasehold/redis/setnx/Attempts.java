package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Acquisitions that are under way, or whose outcome is unknown. An acquisition takes several round
 * trips, and a blocking client can't be stopped between them: so a release withdraws those of its
 * token here, and learns whether one's writes may still reach the server. Thread-safe.
 */
final class Attempts {
  private final ConcurrentHashMap<LeaseKey, State> states = new ConcurrentHashMap<>();

  /** How an acquisition ended. */
  enum Outcome {
    KNOWN,
    UNKNOWN;

    /** What a failure leaves known: what the server itself refused was not done. */
    static Outcome of(LockStoreException failure) {
      return failure.kind() == Kind.UNAVAILABLE || failure.kind() == Kind.REFUSED ? KNOWN : UNKNOWN;
    }
  }

  /**
   * The acquisitions of one token.
   *
   * @param running how many; more than one only if one has timed out
   * @param withdrawn whether none may write any more
   * @param unsettled whether writes may be on their way to the server
   */
  private record State(int running, boolean withdrawn, boolean unsettled) {
    boolean isOver() {
      return running == 0 && !unsettled;
    }
  }

  /** Before an acquisition. */
  void begin(LeaseKey key) {
    states.merge(
        key,
        new State(1, false, false),
        (known, one) -> new State(known.running + 1, known.withdrawn, known.unsettled));
  }

  /**
   * Before an acquisition writes.
   *
   * @throws LockStoreException if it was withdrawn
   */
  void beforeWriting(LeaseKey key) {
    State state =
        states.computeIfPresent(
            key, (k, known) -> known.withdrawn ? known : new State(known.running, false, true));
    if (state == null || state.withdrawn) {
      throw new LockStoreException(
          Kind.TIMED_OUT, "it was given up before the server had answered");
    }
  }

  /** Whether a release has come meanwhile. */
  boolean isWithdrawn(LeaseKey key) {
    State state = states.get(key);
    return state != null && state.withdrawn;
  }

  /**
   * After an acquisition. With a known outcome nothing is unsettled any more: whatever an earlier
   * one of the token may still send was decided on a lock that has been changed since, and so does
   * nothing.
   */
  void end(LeaseKey key, Outcome outcome) {
    states.computeIfPresent(
        key,
        (k, known) -> {
          boolean unsettled = known.unsettled && outcome == Outcome.UNKNOWN;
          State state = new State(known.running - 1, known.withdrawn, unsettled);
          return state.isOver() ? null : state;
        });
  }

  /**
   * Before a release: what has not been sent never will be.
   *
   * @return whether an acquisition's writes may still be on their way to the server
   */
  boolean withdraw(LeaseKey key) {
    State state =
        states.computeIfPresent(key, (k, known) -> new State(known.running, true, known.unsettled));
    return state != null && state.unsettled;
  }

  /** After a release that made void whatever was on its way. */
  void settled(LeaseKey key) {
    states.computeIfPresent(
        key,
        (k, known) -> known.running == 0 ? null : new State(known.running, known.withdrawn, false));
  }
}
