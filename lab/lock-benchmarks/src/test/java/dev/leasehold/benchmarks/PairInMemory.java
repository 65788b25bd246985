package dev.leasehold.benchmarks;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.memory.MemoryLocks;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A free lock on a store in memory: what remains of a pair without client, network and server. */
@State(Scope.Thread)
public class PairInMemory {
  private MemoryLocks memory;
  private LockManager locks;
  private DistributedLock lock;

  /** Opens a store of its own. */
  @Setup
  public void open() {
    memory = MemoryLocks.inRealTime();
    locks = memory.manager();
    lock = locks.lock("pair");
  }

  /** Acquires and releases. */
  @Benchmark
  public void pair() throws Exception {
    lock.acquire().release();
  }

  /** Closes the store. */
  @TearDown
  public void close() {
    locks.close();
    memory.close();
  }
}
