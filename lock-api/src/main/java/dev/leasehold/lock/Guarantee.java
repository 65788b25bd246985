package dev.leasehold.lock;

/**
 * A promise that a lock manager may make beyond the rules that every backend keeps. {@link
 * LockManager#guarantees()} lists those of a manager; the conformance suite checks each declared
 * one.
 */
public enum Guarantee {
  /**
   * The store identifies the holder by an unguessable token and lets only the holder renew or
   * release.
   */
  OWNED,
  /** The store itself expires leases, without the help of a client. */
  SERVER_EXPIRY,
  /** No decision depends on any participant's wall clock. */
  CLOCK_INDEPENDENT,
  /** An owner can acquire a lock that it already holds. */
  REENTRANT,
  /** Leases are renewed while their holder is alive. */
  RENEWAL,
  /** A lock can stay taken for a while after a quick release: {@link LockOptions#atLeast()}. */
  MINIMUM_HOLD,
  /** A release wakes a waiter in another process at once. */
  WAKE_UP,
  /**
   * A release wakes only one waiter, however many there are; under {@link #FAIR}, the next in the
   * queue.
   */
  WAKE_ONE,
  /**
   * A waiter woken by a release acquires before any other client, however fast, unless it takes
   * longer than a moment; it then keeps its place in the queue.
   */
  TURNS,
  /**
   * Grants follow the order of arrival across processes: the order in which waiters entered the
   * store's queue. Two waiters that arrive within a round trip may enter in either order, even in
   * one process.
   */
  FAIR,
  /** Every hold carries a fencing token larger than all earlier ones. */
  FENCING,
  /**
   * A manager can keep a lease for a while after a release, to take it again without a round trip,
   * and gives it back when another manager wants it: {@link LockManager.Builder#linger}.
   */
  LINGER,
  /**
   * Locks of several names are taken in one step, with one fencing token: {@link LockManager#all}.
   */
  TOGETHER,
  /** Read/write locks are available: {@link LockManager#readWriteLock}. */
  SHARED,
  /** Readers do not starve waiting writers, nor writers waiting readers. */
  WRITERS_TURN,
  /** Semaphores are available: {@link LockManager#semaphore}. */
  PERMITS,
  /** Latches are available: {@link LockManager#latch}. */
  LATCH,
  /**
   * A caller that waits for an unopened latch waits for its opening too. Without this guarantee an
   * unopened latch is at zero, as on Redisson's keys.
   */
  LATCH_OPENING,
  /**
   * A semaphore's permits are numbered: each lease has {@link Lease#slots()}, and its fencing token
   * is larger than all earlier ones of those slots.
   */
  SLOTS,
  /** The lock lives on a majority of independent nodes. */
  QUORUM,
  /**
   * A failover of the store never loses a lock. No backend of Leasehold promises this: Redis
   * replicates asynchronously, and a {@link #QUORUM} has no failover. It is meant for stores that
   * confirm a write only when it survives a failover, such as a database with synchronous
   * replication; the conformance suite then requires that the new primary knows the lock.
   */
  FAILOVER_SAFE
}
