package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;

/**
 * What a name is the name of. Kinds have name spaces of their own: a lock and a semaphore of one
 * name have nothing to do with one another, so what is told of a name tells its kind, too.
 *
 * <p>Kinds may be added in any release: whoever tells them apart keeps a default branch.
 */
public enum LockKind {
  /** A lock: {@link LockManager#lock}. Of several as one, each is told of by itself. */
  LOCK("lock"),
  /** The read side of a read/write lock: {@link DistributedReadWriteLock#read}. */
  READ_LOCK("read lock"),
  /** The write side of a read/write lock: {@link DistributedReadWriteLock#write}. */
  WRITE_LOCK("write lock"),
  /** Permits of a semaphore: {@link LockManager#semaphore}. */
  SEMAPHORE("semaphore"),
  /** A latch, of which nobody has a lease: {@link LockManager#latch}. */
  LATCH("latch");

  private final String words;

  LockKind(String words) {
    this.words = words;
  }

  /** One of this kind, in words for a message or a log: {@code read lock 'catalogue'}. */
  public String named(String name) {
    return words + " " + Quoted.name(name);
  }
}
