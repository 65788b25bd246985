package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.internal.acquire.UnsettledTokens.Verdict;
import dev.leasehold.lock.internal.hold.Holds;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt heard of others that hold the name: the store's word "held" is passed on to those
 * for whom it is evidence, unless it was about a leftover of this process. Guarded by the cell's
 * mutex.
 */
final class ContentionEvidence {
  private final WaitQueue waiters;
  private final UnsettledTokens unsettled;
  private final Holds holds;

  /** Whether a leftover was being released when the store was asked. */
  private boolean besideRelease;

  private @Nullable Doubt doubt;

  /** An answer "held" of which it is not known yet whether it was about a leftover. */
  private record Doubt(long sentAt, long answeredAt) {}

  ContentionEvidence(WaitQueue waiters, UnsettledTokens unsettled, Holds holds) {
    this.waiters = waiters;
    this.unsettled = unsettled;
    this.holds = holds;
  }

  /** A question goes out: what was in doubt, its answer tells. */
  void asks() {
    doubt = null;
    besideRelease = unsettled.areReleased();
  }

  boolean isInDoubt() {
    return doubt != null;
  }

  /**
   * Takes in an answer "held".
   *
   * @param mayDoubt whether there is time to find out what it was about
   * @return HELD, once all for whom the attempt asks have an answer that was asked for after they
   *     came
   */
  Verdict hear(Waiter asker, long sentAt, long answeredAt, boolean mayDoubt) {
    doubt = null;
    // Who held it here while they waited is no leftover: then "held" needs no second look.
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

  /** The same of an answer in doubt, when what was left on the store is less than it was. */
  Verdict hearAgain(Waiter asker) {
    Doubt mine = doubt;
    return mine == null ? Verdict.UNKNOWN : hear(asker, mine.sentAt, mine.answeredAt, true);
  }
}
