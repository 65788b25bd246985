package dev.leasehold.admin;

/**
 * The kind of an entry, as far as its keys reveal it. Kinds of one name are independent, except for
 * Redisson's.
 *
 * <p>Two kinds are listed as {@link #LOCK}, because their keys are those of a lock: a leader
 * election, which is a held lock; and the members of a combined lock, each of which is a lock.
 *
 * <p>Kinds may be added in any release, so code that distinguishes them needs a default branch.
 */
public enum KindOfLock {
  /** A lock of {@code redis-set} or {@code redis-setnx}, or of a quorum's nodes. */
  LOCK("lock"),
  /**
   * A {@link #LOCK} with fair waiters in its queue. Without waiters it can't be distinguished, and
   * is listed as {@link #LOCK}.
   */
  FAIR_LOCK("fair lock"),
  /** A read/write lock. */
  READ_WRITE_LOCK("read/write lock"),
  /** A semaphore. */
  SEMAPHORE("semaphore"),
  /** A latch, which has no holders. */
  LATCH("latch"),
  /** A bare key that holds a token: plain mode, as used by Redlock clients in other languages. */
  PLAIN_LOCK("plain lock"),
  /** A bare key that holds a time, as used by timestamp clients. */
  TIMESTAMP_LOCK("timestamp lock"),
  /** The hash of a Redisson {@code RLock} or {@code RFencedLock}, held by any client. */
  REDISSON_LOCK("Redisson lock"),
  /**
   * A {@link #REDISSON_LOCK} with the queue of an {@code RFairLock}. Without waiters it is listed
   * as {@link #REDISSON_LOCK}.
   */
  REDISSON_FAIR_LOCK("Redisson fair lock"),
  /** The hash of a Redisson {@code RReadWriteLock}. */
  REDISSON_READ_WRITE_LOCK("Redisson read/write lock");

  private final String words;

  KindOfLock(String words) {
    this.words = words;
  }

  /** Returns the kind in words: {@code read/write lock}. */
  @Override
  public String toString() {
    return words;
  }
}
