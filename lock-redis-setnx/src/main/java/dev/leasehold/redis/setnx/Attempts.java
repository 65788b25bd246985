package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Acquisitions that are running, or whose outcome is unknown. An acquisition takes several round
 * trips, and a blocking client can't be stopped between them. So a release withdraws its token's
 * acquisitions here, and learns whether their writes may still reach the server. Thread-safe.
 */
final class Attempts {
  private final ConcurrentHashMap<LeaseKey, State> states = new ConcurrentHashMap<>();

  /** Whether an acquisition's outcome is known. */
  enum Outcome {
    KNOWN,
    UNKNOWN;

    /** By its failure: what the server itself refused was not done. */
    static Outcome of(LockStoreException failure) {
      return failure.kind() == Kind.UNAVAILABLE || failure.kind() == Kind.REFUSED ? KNOWN : UNKNOWN;
    }
  }

  /**
   * The acquisitions of one token.
   *
   * @param running how many; more than one only if one has timed out
   * @param withdrawn whether none may write any more
   * @param unsettled whether writes may still reach the server
   */
  private record State(int running, boolean withdrawn, boolean unsettled) {
    boolean isOver() {
      return running == 0 && !unsettled;
    }
  }

  /** To be called before an acquisition. */
  void begin(LeaseKey key) {
    states.merge(
        key,
        new State(1, false, false),
        (known, one) -> new State(known.running + 1, known.withdrawn, known.unsettled));
  }

  /**
   * To be called before an acquisition writes.
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
   * To be called after an acquisition. A known outcome settles all writes: an earlier acquisition
   * of the token that is still to be sent was decided on a lock that has changed since, and so does
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
   * To be called before a release: acquisitions that have not written yet never will.
   *
   * @return whether an acquisition's writes may still reach the server
   */
  boolean withdraw(LeaseKey key) {
    State state =
        states.computeIfPresent(key, (k, known) -> new State(known.running, true, known.unsettled));
    return state != null && state.unsettled;
  }

  /** To be called after a release that invalidated all writes in flight. */
  void settled(LeaseKey key) {
    states.computeIfPresent(
        key,
        (k, known) -> known.running == 0 ? null : new State(known.running, known.withdrawn, false));
  }
}
