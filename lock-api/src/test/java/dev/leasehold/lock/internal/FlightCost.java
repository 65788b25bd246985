package dev.leasehold.lock.internal;

import com.sun.management.ThreadMXBean;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.Ticker;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Measures an uncontended acquire and release on a store in memory: bytes that the caller's thread
 * allocates, and its CPU time. With {@code --limit-modules java.logging,java.management,
 * jdk.management} the JVM has no flight recorder, and the engine writes no events: what differs
 * from a run without the option is what a recorder costs that records nothing.
 */
final class FlightCost {
  private static final int PAIRS = 20_000;
  private static final int ROUNDS = 15;

  private FlightCost() {}

  public static void main(String[] arguments) throws InterruptedException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] bytes = new long[ROUNDS];
    long[] nanos = new long[ROUNDS];
    try (LockManager locks = LockManager.over(new MapStore(Ticker.system())).build()) {
      DistributedLock lock = locks.lock("cost");
      for (int round = 0; round < ROUNDS; round++) {
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long cpu = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < PAIRS; i++) {
          lock.acquire().release();
        }
        nanos[round] = (threads.getCurrentThreadCpuTime() - cpu) / PAIRS;
        bytes[round] = (threads.getCurrentThreadAllocatedBytes() - allocated) / PAIRS;
      }
    }
    boolean recorder = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    System.out.printf(
        "%s: least of %d rounds: %d bytes and %d ns a pair%n",
        recorder ? "a recorder that is off" : "no recorder",
        ROUNDS,
        Arrays.stream(bytes).min().orElseThrow(),
        Arrays.stream(nanos).min().orElseThrow());
  }
}
