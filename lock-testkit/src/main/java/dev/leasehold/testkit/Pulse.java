package dev.leasehold.testkit;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ticks while it has listeners, and reports to all of them how late each tick was, and how long
 * each start of a thread took. Thread-safe.
 */
final class Pulse {
  private static final Duration TICK = Duration.ofMillis(10);

  /** A thread is started for every so many ticks. */
  private static final int TICKS_PER_START = 5;

  private final ReentrantLock mutex = new ReentrantLock();

  // Guarded by the mutex.
  private final Set<Standstill> listeners = new HashSet<>();
  private @Nullable Thread ticking;
  private long seen;

  void add(Standstill listener) {
    mutex.lock();
    try {
      tick(); // what was before does not concern this one
      if (ticking == null) {
        Thread thread = new Thread(this::run, "standstill");
        thread.setDaemon(true);
        thread.start(); // it waits for the mutex; if it can't be started, nothing has changed
        ticking = thread;
      }
      listeners.add(listener);
    } finally {
      mutex.unlock();
    }
  }

  void remove(Standstill listener) {
    mutex.lock();
    try {
      listeners.remove(listener);
      if (listeners.isEmpty()) {
        ticking = null;
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Also called between ticks, so that a listener's figures include a delay that goes on now. */
  void tick() {
    mutex.lock();
    try {
      long now = System.nanoTime();
      long late = now - seen - TICK.toNanos();
      listeners.forEach(listener -> listener.late(late));
      seen = now;
    } finally {
      mutex.unlock();
    }
  }

  private boolean isTicking() {
    mutex.lock();
    try {
      return ticking == Thread.currentThread();
    } finally {
      mutex.unlock();
    }
  }

  private void run() {
    for (int ticks = 1; isTicking(); ticks++) {
      LockSupport.parkNanos(TICK.toNanos());
      tick();
      if (ticks % TICKS_PER_START == 0) {
        startThread();
      }
    }
  }

  private void startThread() {
    List<Standstill> asking = listening();
    long begun = System.nanoTime();
    Thread started =
        new Thread(
            () -> {
              long took = System.nanoTime() - begun;
              asking.forEach(listener -> listener.late(took));
            },
            "standstill-start");
    started.setDaemon(true);
    try {
      started.start();
    } catch (OutOfMemoryError noThread) {
      // A rule may have used them up; that is not what is measured here.
    }
  }

  private List<Standstill> listening() {
    mutex.lock();
    try {
      return List.copyOf(listeners);
    } finally {
      mutex.unlock();
    }
  }
}
