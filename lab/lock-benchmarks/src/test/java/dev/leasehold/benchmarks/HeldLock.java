package dev.leasehold.benchmarks;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A lock that the thread holds already. */
@State(Scope.Thread)
public class HeldLock {
  /** The server's. */
  @Param("redis://127.0.0.1:6379")
  public String uri;

  private LockManager locks;
  private DistributedLock lock;
  private Lease held;

  /** Takes the lock, by the thread that measures. */
  @Setup
  public void take() throws Exception {
    locks =
        LockManager.open(
            LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", uri)));
    lock = locks.lock("reentry");
    held = lock.acquire();
  }

  /** A re-entry and its release. */
  @Benchmark
  public void again() throws Exception {
    lock.acquire().release();
  }

  /** A check of validity. */
  @Benchmark
  public boolean valid() {
    return held.isValid();
  }

  /** Releases it. */
  @TearDown
  public void close() {
    held.release();
    locks.close();
  }
}
