package dev.leasehold.admin;

/**
 * What an entry is, as far as the keys tell. Kinds of one name are unrelated, except among
 * Redisson's.
 *
 * <p>Not distinguishable by their keys, and so listed as {@link #LOCK}: a leader election, which is
 * a held lock; and the members of several locks as one, of which each is a lock of its own.
 *
 * <p>Kinds may be added in any release: code that distinguishes them needs a default branch.
 */
public enum KindOfLock {
  /** A lock of {@code redis-set} or {@code redis-setnx}, or of a quorum's nodes. */
  LOCK("lock"),
  /**
   * A {@link #LOCK} in whose queue fair waiters stand. Nothing else tells a fair lock: with no
   * waiters it is listed as {@link #LOCK}.
   */
  FAIR_LOCK("fair lock"),
  /** A read/write lock. */
  READ_WRITE_LOCK("read/write lock"),
  /** A semaphore. */
  SEMAPHORE("semaphore"),
  /** A latch, which has no holders. */
  LATCH("latch"),
  /** A bare key with a token: plain mode, shared with Redlock clients of other languages. */
  PLAIN_LOCK("plain lock"),
  /** A bare key with a time: a format of timestamp clients. */
  TIMESTAMP_LOCK("timestamp lock"),
  /** A hash of Redisson's {@code RLock} or {@code RFencedLock}, whoever holds it. */
  REDISSON_LOCK("Redisson lock"),
  /** Likewise, with the queue of {@code RFairLock}. With no waiters: {@link #REDISSON_LOCK}. */
  REDISSON_FAIR_LOCK("Redisson fair lock"),
  /** A hash of Redisson's {@code RReadWriteLock}. */
  REDISSON_READ_WRITE_LOCK("Redisson read/write lock");

  private final String words;

  KindOfLock(String words) {
    this.words = words;
  }

  /** The kind in words: {@code read/write lock}. */
  @Override
  public String toString() {
    return words;
  }
}
