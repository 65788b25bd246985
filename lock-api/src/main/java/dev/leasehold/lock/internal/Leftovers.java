package dev.leasehold.lock.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this process may still own of one name on the store without holding it: questions of waiters
 * that have left, unclaimed grants, and leases being released. The store calls the name held by
 * these, too, which is no contention. Guarded by the cell's mutex.
 */
final class Leftovers {

  /** What the store's word "held" is worth to somebody who asked. */
  enum Verdict {
    /** Somebody holds it. */
    HELD,
    /** It was ours when the store was asked, and is back: the store says more if asked again. */
    ASK_AGAIN,
    /** It may be ours, which is known in a moment: {@link Waiters#reconsider} comes then. */
    UNKNOWN
  }

  private final LockCell cell;
  private final Timing time;
  private final BackgroundReleases releases;

  /** Attempts whose waiter has left, with when that was: the oldest first. */
  private final Map<Attempt, Long> questions = new LinkedHashMap<>();

  /** When the last one ended that may have had the name on the store. */
  private long lastOurs;

  private boolean everOurs;

  Leftovers(LockCell cell, Timing time, BackgroundReleases releases) {
    this.cell = cell;
    this.time = time;
    this.releases = releases;
  }

  boolean isEmpty() {
    return questions.isEmpty();
  }

  /** A waiter has left its attempt, which has a question under way or may have a grant. */
  void add(Attempt left) {
    questions.putIfAbsent(left, time.now());
  }

  /** The store has granted nothing to an attempt, or another waiter has it now. */
  void remove(Attempt attempt) {
    if (questions.remove(attempt) != null) {
      cell.waiters().reconsider();
    }
  }

  /** What an attempt may have on the store is released in the background from now on. */
  void released(Attempt attempt) {
    questions.remove(attempt);
    ours();
  }

  /** Something of ours that the store may have called held is back, or known to be another's. */
  void ours() {
    everOurs = true;
    lastOurs = time.now();
    cell.waiters().reconsider();
  }

  /** An attempt with a question under way that does for this one, if there is any. */
  @Nullable Attempt questionFor(Acquisition next) {
    for (Attempt left : questions.keySet()) {
      if (left.mayGoOnFor(next)) {
        return left;
      }
    }
    return null;
  }

  /** Whether a release of this name is under way in the background. */
  boolean areReleased() {
    return releases.isReleasing(cell.name());
  }

  /**
   * What an answer "held" is worth.
   *
   * @param answeredAt what was left later can't have been the reason
   * @param released whether a release was under way in the background when the store was asked
   */
  Verdict judge(long sentAt, long answeredAt, boolean released) {
    if (areReleased()) {
      cell.after(() -> releases.foundHeld(cell.name(), () -> cell.locked(cell.leftovers()::ours)));
      return Verdict.UNKNOWN;
    }
    if (cell.holds().givingBack().isUnderWay() || anyOlderThan(answeredAt)) {
      return Verdict.UNKNOWN;
    }
    return released || (everOurs && lastOurs - sentAt > 0) ? Verdict.ASK_AGAIN : Verdict.HELD;
  }

  private boolean anyOlderThan(long instant) {
    return !questions.isEmpty() && questions.values().iterator().next() - instant <= 0;
  }
}
