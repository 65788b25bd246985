package dev.leasehold.lock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A pair of locks of one name: the read side many hold at a time, the write side one, and then
 * nobody reads. For what is read often and changed rarely.
 *
 * <p>Each side is a {@link DistributedLock}, and each hold a {@link Lease} with a deadline, a loss
 * signal and a fencing token of its own. A writer's token is larger than those of all holds before
 * it; a reader's is larger than the last writer's and smaller than the next one's, and readers may
 * share one.
 *
 * <p><b>Owners.</b> As in {@link java.util.concurrent.locks.ReentrantReadWriteLock}: each side
 * re-enters; whoever holds the write side may take the read side as well, and give the write side
 * back first. Whoever holds the read side alone and asks for the write side would wait for itself,
 * and gets an {@link IllegalMonitorStateException} at once. What an owner holds is looked at when
 * it asks: one that asks for both sides at the same time, by asynchronous calls, may wait for
 * itself. Let it ask for the second when it has the first.
 *
 * <p><b>Turns.</b> Where the manager promises {@link Guarantee#WRITERS_TURN}, a writer that waits
 * is not passed by readers for ever, nor readers by writers. Readers of one process share a lease:
 * the first asks the store, others join for as long as {@link HandOver} allows, the last one gives
 * it back. A thread or a {@link LockOwner} that comes again to a lease that others keep needs a
 * fraction of a microsecond, without a lock inside; where there are {@linkplain LockListener
 * listeners}, some microseconds. A reader with a fixed lease keeps its own deadline.
 *
 * <p>Thread-safe; nothing here blocks.
 */
public interface DistributedReadWriteLock {

  /** The name that processes agree on. */
  String name();

  /** This lock with an explicit owner of both sides, for work that hops threads. */
  DistributedReadWriteLock as(LockOwner owner);

  /**
   * The read side. Who asks it once ({@link DistributedLock#tryAcquire()}) is refused also where it
   * is a waiting writer's turn.
   */
  DistributedLock read();

  /**
   * The write side. To ask for it, in whatever form, throws {@link IllegalMonitorStateException}
   * where the owner holds the read side alone; an asynchronous form fails with it.
   */
  DistributedLock write();

  /**
   * A {@link ReadWriteLock} that behaves as {@link
   * java.util.concurrent.locks.ReentrantReadWriteLock}, with the differences that {@link
   * DistributedLock#asLock()} tells. A reader that asks for the write side, by {@code tryLock()}
   * too, gets an {@link IllegalMonitorStateException} instead of waiting for itself. And {@code
   * tryLock()} of the read side is refused where it is a waiting writer's turn ({@link
   * Guarantee#WRITERS_TURN}).
   */
  ReadWriteLock asReadWriteLock();
}
