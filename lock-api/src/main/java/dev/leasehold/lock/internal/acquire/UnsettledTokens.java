package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.internal.calls.BackgroundReleases;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.name.Monitor;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this process may still own on the store of one name without holding it: requests of waiters
 * that have left, unclaimed grants, and leases being released. The store reports these as "held",
 * too, although this is no contention. Guarded by the name's mutex.
 */
final class UnsettledTokens {

  /** What an answer "held" means to the waiter that asked. */
  enum Verdict {
    /** The lock is held, and not by an unsettled token of this process. */
    HELD,
    /**
     * A token of ours may have held the lock when the store was asked, and is settled now: asking
     * again gives a conclusive answer.
     */
    ASK_AGAIN,
    /** A token of ours may hold the lock. This will be known soon, and loops then look again. */
    UNKNOWN
  }

  private final Monitor monitor;
  private final Holds holds;
  private final BackgroundReleases releases;
  private final Runnable lessened;

  /** Loops whose waiter has left, with the time when it left: the oldest first. */
  private Map<AcquireLoop, Long> questions = Map.of();

  /** When the last token was settled that may have held the name on the store. */
  private long lastOurs;

  private boolean everOurs;

  /**
   * Creates an empty set.
   *
   * @param lessened a step under the mutex, run when a token has been settled
   */
  UnsettledTokens(Monitor monitor, Holds holds, BackgroundReleases releases, Runnable lessened) {
    this.monitor = monitor;
    this.holds = holds;
    this.releases = releases;
    this.lessened = lessened;
  }

  boolean isEmpty() {
    return questions.isEmpty();
  }

  /** Adds a loop whose waiter has left, and which has a request under way or may have a grant. */
  void add(AcquireLoop left) {
    if (questions.isEmpty()) {
      questions = new LinkedHashMap<>(); // hardly ever, so not kept for each name
    }
    questions.putIfAbsent(left, monitor.now());
  }

  /** Removes a loop, to which the store has granted nothing or which another waiter has now. */
  void remove(AcquireLoop loop) {
    if (!questions.isEmpty() && questions.remove(loop) != null) {
      lessened.run();
    }
  }

  /** Removes a loop whose token is released in the background from now on. */
  void released(AcquireLoop loop) {
    if (!questions.isEmpty()) {
      questions.remove(loop);
    }
    ours();
  }

  /**
   * Records that a token of ours, which the store may have reported as held, was released or is
   * known to be another's.
   */
  void ours() {
    everOurs = true;
    lastOurs = monitor.now();
    lessened.run();
  }

  /** Returns a loop with a request under way that can serve this waiter; null if there is none. */
  @Nullable AcquireLoop questionFor(Waiter next) {
    for (AcquireLoop left : questions.keySet()) {
      if (left.mayGoOnFor(next)) {
        return left;
      }
    }
    return null;
  }

  /** Returns whether a release of this name is under way in the background. */
  private boolean areReleased() {
    return releases.isReleasing(monitor.name());
  }

  /**
   * Judges an answer "held".
   *
   * @param answeredAt tokens that became unsettled later can't have been the reason
   * @param released whether a release was under way in the background when the request was sent
   */
  private Verdict judge(long sentAt, long answeredAt, boolean released) {
    if (areReleased()) {
      monitor.after(() -> releases.foundHeld(monitor.name(), () -> monitor.locked(this::ours)));
      return Verdict.UNKNOWN;
    }
    if (holds.areReleasing() || anyOlderThan(answeredAt)) {
      return Verdict.UNKNOWN;
    }
    return released || (everOurs && lastOurs - sentAt > 0) ? Verdict.ASK_AGAIN : Verdict.HELD;
  }

  private boolean anyOlderThan(long instant) {
    return !questions.isEmpty() && questions.values().iterator().next() - instant <= 0;
  }

  /** Returns what one request learns of other holders of the name. */
  Evidence evidence(Waiters waiters) {
    return new Evidence(waiters);
  }

  /**
   * What an {@link AcquireLoop} has learned about other holders of the name. An answer "held" is
   * passed on to the waiters for which it is evidence, unless it was due to an unsettled token of
   * this process.
   */
  final class Evidence {
    private final Waiters waiters;

    /** Whether a release of this name was under way in the background when the request was sent. */
    private boolean besideRelease;

    private @Nullable Doubt doubt;

    private Evidence(Waiters waiters) {
      this.waiters = waiters;
    }

    /** Records that a request is sent; its answer replaces a doubtful one. */
    void asks() {
      doubt = null;
      besideRelease = areReleased();
    }

    boolean isInDoubt() {
      return doubt != null;
    }

    /**
     * Processes an answer "held".
     *
     * @param mayDoubt whether the asker can ask again to find out what the answer was due to
     * @return HELD once every waiter that the loop asks for has an answer to a request sent after
     *     it came
     */
    Verdict hear(Waiter asker, long sentAt, long answeredAt, boolean mayDoubt) {
      doubt = null;
      // A hold of this process that lasted while they waited is no leftover: "held" is then
      // conclusive.
      if (waiters.anyLacksEvidence(asker, one -> !holds.wereHeldSince(one.arrived))) {
        Verdict verdict = judge(sentAt, answeredAt, besideRelease);
        asker.doubtful = verdict != Verdict.HELD;
        if (mayDoubt && verdict != Verdict.HELD) {
          doubt = verdict == Verdict.UNKNOWN ? new Doubt(sentAt, answeredAt) : null;
          return verdict;
        }
      }
      waiters.heardHeld(asker, sentAt);
      return waiters.anyLacksEvidence(asker, any -> true) ? Verdict.ASK_AGAIN : Verdict.HELD;
    }

    /**
     * Processes a doubtful answer again, after this process has fewer unsettled tokens on the
     * store.
     */
    Verdict hearAgain(Waiter asker) {
      Doubt mine = doubt;
      return mine == null ? Verdict.UNKNOWN : hear(asker, mine.sentAt, mine.answeredAt, true);
    }
  }

  /** An answer "held" that may be due to an unsettled token of this process. */
  private record Doubt(long sentAt, long answeredAt) {}
}
