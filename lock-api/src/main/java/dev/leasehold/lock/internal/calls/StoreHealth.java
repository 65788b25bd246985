package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The store's recent health, as seen by one name's calls. Immutable, so that all names without
 * trouble can share one.
 *
 * @param trouble the last call's failure, if it failed
 * @param troubledSince when the first call was sent that failed, if the last one failed
 */
public record StoreHealth(Timing time, @Nullable LockException trouble, long troubledSince) {
  /** A store without trouble. */
  public StoreHealth(Timing time) {
    this(time, null, 0);
  }

  /** Returns the health after the failure of a call that was sent at this time. */
  public StoreHealth troubled(LockException failure, long sentAt) {
    return new StoreHealth(time, failure, trouble == null ? sentAt : troubledSince);
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
   * Returns the failure for a waiter whose time is up and whose requests were all refused, perhaps
   * because the lock is held by a token that this process gave up.
   */
  public static LockStoreException doubtful(Duration waited) {
    return new LockStoreException(
        Kind.TIMED_OUT,
        "an abandoned earlier request of this process may still hold the lock: after "
            + Setting.written(waited)
            + " the store has not confirmed its release");
  }
}
