package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The store's recent health, as seen by one name's calls. Guarded by the name's mutex. */
public final class StoreHealth {
  private final Timing time;
  private @Nullable LockException trouble;
  private long troubledSince;

  public StoreHealth(Timing time) {
    this.time = time;
  }

  /** The store gave a usable answer. */
  public void answered() {
    trouble = null;
  }

  /** The store failed a call that was sent at this time. */
  public void troubled(LockException failure, long sentAt) {
    if (trouble == null) {
      troubledSince = sentAt;
    }
    trouble = failure;
  }

  /** Returns how long the store has failed a waiter that has waited since then. */
  public Duration uselessFor(long waitingSince) {
    return time.since(waitingSince - troubledSince > 0 ? waitingSince : troubledSince);
  }

  /** Returns the failure for a waiter that has waited since then and saw no holder. */
  public LockStoreException useless(long waitingSince) {
    Duration waited = time.since(waitingSince);
    LockException failure = trouble;
    if (failure == null) {
      return silent(waited);
    }
    String message =
        "the store has failed for " + Setting.written(waited) + ": " + failure.getMessage();
    Kind kind = failure instanceof LockStoreException store ? store.kind() : Kind.UNAVAILABLE;
    return new LockStoreException(kind, message, failure);
  }

  /** Returns the failure for a grant that took so long that its lease is over. */
  public static LockStoreException tooLate(Duration took) {
    return new LockStoreException(
        Kind.TIMED_OUT,
        "the store's grant took " + Setting.written(took) + ", as long as the lease lasts");
  }

  /**
   * Returns the failure for a waiter that had no first answer in its time. This is no failure of
   * the store: it may take the command time-out, and the wait may have been shorter.
   */
  public static LockStoreException silent(Duration waited) {
    return new LockStoreException(
        Kind.TIMED_OUT, "no answer yet within " + Setting.written(waited) + ", the time to wait");
  }

  /**
   * Returns the failure for a waiter that asks only once, and was told for all of its time that the
   * lock is held, perhaps by a token that this process gave up.
   */
  public static LockStoreException doubtful(Duration waited) {
    return new LockStoreException(
        Kind.TIMED_OUT,
        "for "
            + Setting.written(waited)
            + " the store has not confirmed the release of an earlier request of this process,"
            + " which may be what holds the lock");
  }
}
