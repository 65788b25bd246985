package dev.leasehold.lock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A pair of locks of one name: many owners may hold the read side at a time; the write side
 * excludes all others. For data that is read often and changed rarely.
 *
 * <p>Each side is a {@link DistributedLock}, and each hold a {@link Lease} with its own deadline,
 * loss signal and fencing token. A writer's token is larger than those of all earlier holds. A
 * reader's token lies between those of the previous and the next writer; readers may share one.
 *
 * <p><b>Owners.</b> As in {@link java.util.concurrent.locks.ReentrantReadWriteLock}: each side
 * re-enters, and the holder of the write side may take the read side as well and then release the
 * write side. The holder of the read side alone that asks for the write side would wait for itself,
 * so it gets an {@link IllegalMonitorStateException} at once. This is checked when the owner asks:
 * an owner that asks for both sides at the same time, by asynchronous calls, may wait for itself.
 * Ask for the second side only once the first is held.
 *
 * <p><b>Turns.</b> Where the manager promises {@link Guarantee#WRITERS_TURN}, neither readers nor
 * writers starve the other side. Readers of one process share a lease: the first reader asks the
 * store, others join for as long as {@link HandOver} allows, and the last releases it. A thread or
 * {@link LockOwner} that rejoins a lease others still hold needs a fraction of a microsecond and
 * takes no internal lock; with {@linkplain LockListener listeners}, some microseconds. A reader
 * with a fixed lease keeps its own deadline.
 *
 * <p>Thread-safe; no method of this interface blocks.
 */
public interface DistributedReadWriteLock {

  /** The name that processes agree on. */
  String name();

  /** This lock with an explicit owner of both sides, for work that moves between threads. */
  DistributedReadWriteLock as(LockOwner owner);

  /**
   * The read side. {@link DistributedLock#tryAcquire()} is refused also when it is a waiting
   * writer's turn.
   */
  DistributedLock read();

  /**
   * The write side. Every acquiring method throws {@link IllegalMonitorStateException} if the owner
   * holds the read side alone; the stages of asynchronous methods fail with it.
   */
  DistributedLock write();

  /**
   * A {@link ReadWriteLock} that behaves as {@link
   * java.util.concurrent.locks.ReentrantReadWriteLock}, with the differences described at {@link
   * DistributedLock#asLock()}. A reader that asks for the write side, even by {@code tryLock()},
   * gets an {@link IllegalMonitorStateException} instead of waiting for itself. {@code tryLock()}
   * of the read side is refused when it is a waiting writer's turn ({@link
   * Guarantee#WRITERS_TURN}).
   */
  ReadWriteLock asReadWriteLock();
}
