package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How the store did of late, as one name's calls tell. Guarded by the cell's mutex. */
final class StoreHealth {
  private final Timing time;
  private @Nullable LockException trouble;
  private long troubledSince;
  private boolean everAnswered;
  private long answeredAt;

  StoreHealth(Timing time) {
    this.time = time;
  }

  /** The store gave a usable answer. */
  void answered() {
    trouble = null;
    everAnswered = true;
    answeredAt = time.now();
  }

  /** The store failed, in a call that was sent then. */
  void troubled(LockException failure, long sentAt) {
    if (trouble == null) {
      troubledSince = sentAt;
    }
    trouble = failure;
  }

  private boolean hasAnsweredSince(long instant) {
    return everAnswered && answeredAt - instant >= 0;
  }

  /** Whether one who waits without bound has for so long waited for a store of no use. */
  boolean isPast(Acquisition acquisition, Duration storeTimeout) {
    return acquisition.patience == Acquisition.Patience.UNBOUNDED
        && acquisition.growing == null
        && uselessFor(acquisition.arrived).compareTo(storeTimeout) >= 0;
  }

  /** For how long the store has been of no use to one who has waited since then. */
  Duration uselessFor(long waitingSince) {
    return time.since(waitingSince - troubledSince > 0 ? waitingSince : troubledSince);
  }

  /**
   * What becomes of a waiter whose time is up. Empty means contended, and nothing else.
   *
   * @param held whether somebody of this process has the lock
   * @param answerDue whether a first word of the store's is due by now
   */
  Decision timeUp(Acquisition acquisition, boolean held, BooleanSupplier answerDue) {
    LockException blame;
    if (acquisition.growing != null) {
      blame = silent(time.since(acquisition.arrived));
    } else {
      blame = held ? null : blame(acquisition.arrived, answerDue);
    }
    return blame == null ? Decision.REFUSED : Decision.failed(blame);
  }

  /**
   * What to tell one who has waited in vain since then, if the store was of no use; null if it was.
   *
   * @param answerDue whether a first word of the store's is due by now
   */
  @Nullable LockException blame(long waitingSince, BooleanSupplier answerDue) {
    Duration waited = time.since(waitingSince);
    LockException failure = trouble;
    if (failure == null) {
      return hasAnsweredSince(waitingSince) || !answerDue.getAsBoolean() ? null : silent(waited);
    }
    String message =
        "the store was of no use for " + Setting.written(waited) + ": " + failure.getMessage();
    Kind kind = failure instanceof LockStoreException store ? store.kind() : Kind.UNAVAILABLE;
    return new LockStoreException(kind, message, failure);
  }

  /** Whether a question that has no answer explains a wait in vain: it was out for most of it. */
  static boolean explains(Duration unanswered, Duration waited) {
    return unanswered.compareTo(waited.minus(unanswered)) >= 0;
  }

  /** What to tell one who waited in vain for the store's first word. */
  static LockStoreException silent(Duration waited) {
    return new LockStoreException(
        Kind.TIMED_OUT, "the store did not answer within the wait of " + Setting.written(waited));
  }
}
