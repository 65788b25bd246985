package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.Quoted;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/** A name and options; all state is in the entries of its two sides. */
final class NamedReadWriteLock implements DistributedReadWriteLock {
  private final NamedLock reads;
  private final NamedLock writes;

  NamedReadWriteLock(NamedLock reads, NamedLock writes) {
    this.reads = reads;
    this.writes = writes;
  }

  @Override
  public String name() {
    return reads.name();
  }

  @Override
  public DistributedReadWriteLock as(LockOwner owner) {
    Objects.requireNonNull(owner, "owner");
    return new NamedReadWriteLock(reads.as(owner), writes.as(owner));
  }

  @Override
  public DistributedLock read() {
    return reads;
  }

  @Override
  public DistributedLock write() {
    return writes;
  }

  @Override
  public ReadWriteLock asReadWriteLock() {
    Lock read = reads.asLock();
    Lock write = writes.asLock();
    return new ReadWriteLock() {
      @Override
      public Lock readLock() {
        return read;
      }

      @Override
      public Lock writeLock() {
        return write;
      }

      @Override
      public String toString() {
        return "ReadWriteLock view of " + NamedReadWriteLock.this;
      }
    };
  }

  @Override
  public String toString() {
    return "DistributedReadWriteLock[" + Quoted.name(name()) + "]";
  }
}
