package dev.leasehold.lock;

/**
 * What a lock manager may promise beyond the rules that every backend keeps. {@link
 * LockManager#guarantees()} lists a manager's; the conformance suite checks each one declared.
 */
public enum Guarantee {
  /**
   * The store knows the holder by an unguessable token, and lets only the holder renew or release.
   */
  OWNED,
  /** The store itself ends a lease; no client is needed for it. */
  SERVER_EXPIRY,
  /** No participant's wall clock decides anything. */
  CLOCK_INDEPENDENT,
  /** An owner can acquire again what it holds. */
  REENTRANT,
  /** Leases are kept alive while their holder lives. */
  RENEWAL,
  /** A lock can stay taken for a while after a quick release: {@link LockOptions#atLeast()}. */
  MINIMUM_HOLD,
  /** A release wakes a waiter in another process at once. */
  WAKE_UP,
  /** A release wakes one waiter, however many there are; under {@link #FAIR} the next one, too. */
  WAKE_ONE,
  /**
   * Whoever a release woke has its turn: others, however fast, get in only after it, unless it
   * takes longer than a moment; and then it keeps its place.
   */
  TURNS,
  /**
   * Grants follow the order of arrival across processes: that in which waiters came to stand in the
   * store's line. Two that come within a round trip may stand there in either order, also two of
   * one process.
   */
  FAIR,
  /** Every hold carries a token larger than all before it. */
  FENCING,
  /**
   * Locks of several names are taken in one step, with one fencing token: {@link LockManager#all}.
   */
  TOGETHER,
  /** There are read/write locks: {@link LockManager#readWriteLock}. */
  SHARED,
  /** Waiting writers are not passed by readers for ever, nor readers by writers. */
  WRITERS_TURN,
  /** There are semaphores: {@link LockManager#semaphore}. */
  PERMITS,
  /** There are latches: {@link LockManager#latch}. */
  LATCH,
  /**
   * Who waits for a latch that nobody has opened waits for that, too. Without it such a latch is at
   * zero, as one on Redisson's keys is.
   */
  LATCH_OPENING,
  /**
   * Permits of a semaphore are told from one another: each lease tells its {@link Lease#slots()},
   * and its token is larger than all before of these slots.
   */
  SLOTS,
  /** The lock lives on a majority of independent nodes. */
  QUORUM,
  /** A failover of the store never loses a lock. */
  FAILOVER_SAFE
}
