package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;

/**
 * The kind of lock that a name refers to. Each kind has its own name space, unless the backend has
 * one for all kinds: a lock and a semaphore of the same name are independent, so whatever reports a
 * name reports its kind too.
 *
 * <p>Kinds may be added in any release: code that distinguishes them needs a default branch.
 */
public enum LockKind {
  /** A lock: {@link LockManager#lock}. Several locks as one are reported individually. */
  LOCK("lock"),
  /** The read side of a read/write lock: {@link DistributedReadWriteLock#read}. */
  READ_LOCK("read lock"),
  /** The write side of a read/write lock: {@link DistributedReadWriteLock#write}. */
  WRITE_LOCK("write lock"),
  /** Permits of a semaphore: {@link LockManager#semaphore}. */
  SEMAPHORE("semaphore"),
  /** A latch, which has no leases: {@link LockManager#latch}. */
  LATCH("latch");

  private final String words;

  LockKind(String words) {
    this.words = words;
  }

  /** Describes a lock of this kind in messages and logs: {@code read lock 'catalogue'}. */
  public String named(String name) {
    return words + " " + Quoted.name(name);
  }
}
