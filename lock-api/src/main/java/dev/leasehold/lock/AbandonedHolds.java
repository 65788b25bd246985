package dev.leasehold.lock;

/**
 * What becomes of a hold with an automatic lease that nobody can release any more: a thread's when
 * the thread is dead and its handles are unreachable (what it took through {@link
 * DistributedLock#asLock}: when it is dead), any other owner's when its handles and the stages of
 * {@link Lease#lost()} are unreachable.
 *
 * <p>It is noticed by garbage collection and then the lease's next renewal; told once to listeners
 * as {@link LockEvent.Abandoned}, and logged. A callback on {@link Lease#lost()} that itself refers
 * to the lease keeps it reachable.
 */
public enum AbandonedHolds {
  /** It is renewed on: a program may take a lock for its life and drop the handle. */
  KEEP,
  /** It is renewed no more: it ends by its lease, as a loss. */
  EXPIRE
}
