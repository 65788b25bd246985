package dev.leasehold.spring.boot;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the running calls of locked methods, so that shutdown can wait for them. */
final class RunningCalls {
  private final ReentrantLock guard = new ReentrantLock();
  private final Condition none = guard.newCondition();
  private int running;

  void began() {
    guard.lock();
    try {
      running++;
    } finally {
      guard.unlock();
    }
  }

  void ended() {
    guard.lock();
    try {
      running--;
      if (running == 0) {
        none.signalAll();
      }
    } finally {
      guard.unlock();
    }
  }

  /** Blocks until no call is running, or for this long; returns whether none is. */
  boolean awaitNone(Duration patience) throws InterruptedException {
    long left = patience.toNanos();
    guard.lockInterruptibly();
    try {
      while (running > 0 && left > 0) {
        left = none.awaitNanos(left);
      }
      return running == 0;
    } finally {
      guard.unlock();
    }
  }
}
