package dev.leasehold.lock;

/**
 * What happens to a hold with an automatic lease that can no longer be released. A thread's hold is
 * abandoned when the thread is dead and its handles are unreachable (a hold taken through {@link
 * DistributedLock#asLock}: when the thread is dead); any other owner's hold, when its handles and
 * the stages of {@link Lease#lost()} are unreachable.
 *
 * <p>Abandonment is detected after garbage collection, at the lease's next renewal. It is reported
 * once to listeners as {@link LockEvent.Abandoned}, and logged. A callback on {@link Lease#lost()}
 * that refers to the lease keeps it reachable.
 */
public enum AbandonedHolds {
  /** Renewal continues: a program may take a lock for its lifetime and drop the handle. */
  KEEP,
  /** Renewal stops: the lease expires and is reported as lost. */
  EXPIRE
}
