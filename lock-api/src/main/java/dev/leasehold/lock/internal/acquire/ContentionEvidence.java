package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.internal.acquire.UnsettledTokens.Verdict;
import dev.leasehold.lock.internal.hold.Holds;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link AcquireLoop} has learned about other holders of the name. An answer "held" is
 * passed on to the waiters for which it is evidence, unless it was due to an unsettled token of
 * this process. Guarded by the name's mutex.
 */
final class ContentionEvidence {
  private final Waiters waiters;
  private final UnsettledTokens unsettled;
  private final Holds holds;

  /** Whether a release of this name was under way in the background when the request was sent. */
  private boolean besideRelease;

  private @Nullable Doubt doubt;

  /** An answer "held" that may be due to an unsettled token of this process. */
  private record Doubt(long sentAt, long answeredAt) {}

  ContentionEvidence(Waiters waiters, UnsettledTokens unsettled, Holds holds) {
    this.waiters = waiters;
    this.unsettled = unsettled;
    this.holds = holds;
  }

  /** Records that a request is sent; its answer replaces a doubtful one. */
  void asks() {
    doubt = null;
    besideRelease = unsettled.areReleased();
  }

  boolean isInDoubt() {
    return doubt != null;
  }

  /**
   * Processes an answer "held".
   *
   * @param mayDoubt whether the asker can ask again to find out what the answer was due to
   * @return HELD once every waiter that the loop asks for has an answer to a request sent after it
   *     came
   */
  Verdict hear(Waiter asker, long sentAt, long answeredAt, boolean mayDoubt) {
    doubt = null;
    // A hold of this process that lasted while they waited is no leftover: "held" is then
    // conclusive.
    if (waiters.anyLacksEvidence(asker, one -> !holds.wereHeldSince(one.arrived))) {
      Verdict verdict = unsettled.judge(sentAt, answeredAt, besideRelease);
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
   * Processes a doubtful answer again, after this process has fewer unsettled tokens on the store.
   */
  Verdict hearAgain(Waiter asker) {
    Doubt mine = doubt;
    return mine == null ? Verdict.UNKNOWN : hear(asker, mine.sentAt, mine.answeredAt, true);
  }
}
