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
  private final ConcurrentHashMap<LeaseKey, Attempt> attempts = new ConcurrentHashMap<>();

  /** The acquisitions of one token; more than one at a time only if one has timed out. */
  static final class Attempt {
    private int running;
    private boolean withdrawn;
    private boolean unsettled;

    /**
     * To be called before anything is written.
     *
     * @throws LockStoreException if the acquisition was withdrawn
     */
    synchronized void beforeWriting() {
      if (withdrawn) {
        throw new LockStoreException(
            Kind.TIMED_OUT, "it was given up before the server had answered");
      }
      unsettled = true;
    }

    synchronized boolean isWithdrawn() {
      return withdrawn;
    }

    private synchronized void begin() {
      running++;
    }

    private synchronized boolean end(Outcome outcome) {
      running--;
      if (outcome == Outcome.KNOWN) {
        // Whatever an earlier one of the token may still send was decided on a lock that has been
        // changed since, and so does nothing.
        unsettled = false;
      }
      return running == 0 && !unsettled;
    }

    private synchronized boolean settle() {
      unsettled = false;
      return running == 0;
    }

    private synchronized boolean withdraw() {
      withdrawn = true;
      return unsettled;
    }
  }

  /** How an acquisition ended. */
  enum Outcome {
    KNOWN,
    UNKNOWN;

    /** What a failure leaves known: what the server itself refused was not done. */
    static Outcome of(LockStoreException failure) {
      return failure.kind() == Kind.UNAVAILABLE || failure.kind() == Kind.REFUSED ? KNOWN : UNKNOWN;
    }
  }

  /** Before an acquisition. */
  Attempt begin(LeaseKey key) {
    return attempts.compute(
        key,
        (k, known) -> {
          Attempt attempt = known == null ? new Attempt() : known;
          attempt.begin();
          return attempt;
        });
  }

  /** After it. */
  void end(LeaseKey key, Outcome outcome) {
    attempts.computeIfPresent(key, (k, attempt) -> attempt.end(outcome) ? null : attempt);
  }

  /**
   * Before a release: what has not been sent never will be.
   *
   * @return whether an acquisition's writes may still be on their way to the server
   */
  boolean withdraw(LeaseKey key) {
    Attempt attempt = attempts.get(key);
    return attempt != null && attempt.withdraw();
  }

  /** After a release that made void whatever was on its way. */
  void settled(LeaseKey key) {
    attempts.computeIfPresent(key, (k, attempt) -> attempt.settle() ? null : attempt);
  }
}
