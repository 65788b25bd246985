package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.acquire.AcquireCall;
import dev.leasehold.lock.spi.Quoted;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/** A name and options; all state is in the entries of its two sides. */
final class NamedReadWriteLock implements DistributedReadWriteLock {
  private final AcquireCall reads;
  private final AcquireCall writes;

  NamedReadWriteLock(AcquireCall reads, AcquireCall writes) {
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
    return new NamedLock(reads);
  }

  @Override
  public DistributedLock write() {
    return new NamedLock(writes);
  }

  @Override
  public ReadWriteLock asReadWriteLock() {
    Lock read = new LockView(reads.as(null));
    Lock write = new LockView(writes.as(null));
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
