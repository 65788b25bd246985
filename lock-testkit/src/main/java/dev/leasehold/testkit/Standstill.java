package dev.leasehold.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Notes how long this JVM stood still at a time: its machine had no processor for it, or for a new
 * thread, as renewals and callbacks may need one, or it collected garbage. A lease that is to be
 * renewed may end then, and what was to end soon ends late. Excuses nothing else: a lock that two
 * have is broken on every machine. Thread-safe.
 */
final class Standstill implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(10);

  /** A thread is started for every so many ticks. */
  private static final int TICKS_PER_START = 5;

  /** What the shortest leases of the suite bear. */
  private static final Duration NOTED = Duration.ofMillis(150);

  private final ReentrantLock mutex = new ReentrantLock();
  private final Thread ticking = new Thread(this::tick, "standstill");
  private long seen = System.nanoTime();
  private long longest;

  Standstill() {
    ticking.setDaemon(true);
    ticking.start();
  }

  private void tick() {
    for (int ticks = 1; !ticking.isInterrupted(); ticks++) {
      LockSupport.parkNanos(TICK.toNanos());
      longest();
      if (ticks % TICKS_PER_START == 0) {
        startThread();
      }
    }
  }

  private void startThread() {
    long begun = System.nanoTime();
    Thread started = new Thread(() -> note(System.nanoTime() - begun), "standstill-start");
    started.setDaemon(true);
    try {
      started.start();
    } catch (OutOfMemoryError noThread) {
      // A rule may have used them up; that is not what is measured here.
    }
  }

  private void note(long late) {
    mutex.lock();
    try {
      longest = Math.max(longest, late);
    } finally {
      mutex.unlock();
    }
  }

  /** The longest until now, this one included. */
  Duration longest() {
    mutex.lock();
    try {
      long now = System.nanoTime();
      longest = Math.max(longest, now - seen - TICK.toNanos());
      seen = now;
      return Duration.ofNanos(longest);
    } finally {
      mutex.unlock();
    }
  }

  /** Whether it was for longer than short leases bear. */
  boolean isLong() {
    return longest().compareTo(NOTED) >= 0;
  }

  /** What to say beside a failure; empty if it stood still for no long time. */
  String hint() {
    return isLong()
        ? "\nMeanwhile this JVM stood still for "
            + longest().toMillis()
            + " ms. If its machine is too busy for leases of half a second:"
            + " -Dleasehold.timescale=3"
        : "";
  }

  @Override
  public void close() {
    ticking.interrupt();
  }
}
