package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How the store did of late, as one name's calls tell. Guarded by the cell's mutex. */
final class StoreHealth {
  private final Env env;
  private @Nullable LockException trouble;
  private long troubledSince;
  private boolean everAnswered;
  private long answeredAt;

  StoreHealth(Env env) {
    this.env = env;
  }

  /** The store gave a usable answer. */
  void answered() {
    trouble = null;
    everAnswered = true;
    answeredAt = env.now();
  }

  /** The store failed, in a call that was sent then. */
  void troubled(LockException failure, long sentAt) {
    if (trouble == null) {
      troubledSince = sentAt;
    }
    trouble = failure;
  }

  boolean hasAnsweredSince(long instant) {
    return everAnswered && answeredAt - instant >= 0;
  }

  /** How long it has been of no use to one who has waited since then. */
  Duration uselessFor(long waitingSince) {
    return env.since(waitingSince - troubledSince > 0 ? waitingSince : troubledSince);
  }

  /** What to tell one who waited in vain while the store was of no use; null if it was. */
  @Nullable LockStoreException blame(Duration waited) {
    LockException failure = trouble;
    if (failure == null) {
      return null;
    }
    String message =
        "the store was of no use for " + Setting.written(waited) + ": " + failure.getMessage();
    Kind kind = failure instanceof LockStoreException store ? store.kind() : Kind.UNAVAILABLE;
    return new LockStoreException(kind, message, failure);
  }

  /** What to tell one who waited in vain for the store's first word. */
  static LockStoreException silent(Duration waited) {
    return new LockStoreException(
        Kind.TIMED_OUT, "the store did not answer within the wait of " + Setting.written(waited));
  }
}
