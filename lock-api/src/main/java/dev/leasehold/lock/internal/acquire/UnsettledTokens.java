package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.internal.calls.BackgroundReleases;
import dev.leasehold.lock.internal.hold.Releases;
import dev.leasehold.lock.internal.name.Monitor;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this process may still own of one name on the store without holding it: questions of waiters
 * that have left, unclaimed grants, and leases being released. The store calls the name held by
 * these, too, which is no contention. Guarded by the cell's mutex.
 */
final class UnsettledTokens {

  /** What the store's word "held" is worth to somebody who asked. */
  enum Verdict {
    /** Somebody holds it. */
    HELD,
    /** It was ours when the store was asked, and is back: the store says more if asked again. */
    ASK_AGAIN,
    /** It may be ours, which is known in a moment: attempts look again then. */
    UNKNOWN
  }

  private final Monitor monitor;
  private final Releases held;
  private final BackgroundReleases releases;
  private final Runnable lessened;

  /** Attempts whose waiter has left, with when that was: the oldest first. */
  private Map<AcquireLoop, Long> questions = Map.of();

  /** When the last one ended that may have had the name on the store. */
  private long lastOurs;

  private boolean everOurs;

  /**
   * None yet.
   *
   * @param held the releases of holds
   * @param lessened a step under the mutex, when what was left is less than it was
   */
  UnsettledTokens(Monitor monitor, Releases held, BackgroundReleases releases, Runnable lessened) {
    this.monitor = monitor;
    this.held = held;
    this.releases = releases;
    this.lessened = lessened;
  }

  boolean isEmpty() {
    return questions.isEmpty();
  }

  /** A waiter has left its attempt, which has a question under way or may have a grant. */
  void add(AcquireLoop left) {
    if (questions.isEmpty()) {
      questions = new LinkedHashMap<>(); // hardly ever, so not kept for each name
    }
    questions.putIfAbsent(left, monitor.now());
  }

  /** The store has granted nothing to an attempt, or another waiter has it now. */
  void remove(AcquireLoop loop) {
    if (!questions.isEmpty() && questions.remove(loop) != null) {
      lessened.run();
    }
  }

  /** What an attempt may have on the store is released in the background from now on. */
  void released(AcquireLoop loop) {
    if (!questions.isEmpty()) {
      questions.remove(loop);
    }
    ours();
  }

  /** Something of ours that the store may have called held is back, or known to be another's. */
  void ours() {
    everOurs = true;
    lastOurs = monitor.now();
    lessened.run();
  }

  /** An attempt with a question under way that does for this one, if there is any. */
  @Nullable AcquireLoop questionFor(Waiter next) {
    for (AcquireLoop left : questions.keySet()) {
      if (left.mayGoOnFor(next)) {
        return left;
      }
    }
    return null;
  }

  /** Whether a release of this name is under way in the background. */
  boolean areReleased() {
    return releases.isReleasing(monitor.name());
  }

  /**
   * What an answer "held" is worth.
   *
   * @param answeredAt what was left later can't have been the reason
   * @param released whether a release was under way in the background when the store was asked
   */
  Verdict judge(long sentAt, long answeredAt, boolean released) {
    if (areReleased()) {
      monitor.after(() -> releases.foundHeld(monitor.name(), () -> monitor.locked(this::ours)));
      return Verdict.UNKNOWN;
    }
    if (held.isUnderWay() || anyOlderThan(answeredAt)) {
      return Verdict.UNKNOWN;
    }
    return released || (everOurs && lastOurs - sentAt > 0) ? Verdict.ASK_AGAIN : Verdict.HELD;
  }

  private boolean anyOlderThan(long instant) {
    return !questions.isEmpty() && questions.values().iterator().next() - instant <= 0;
  }
}
