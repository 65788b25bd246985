package dev.leasehold.spring.boot;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How many calls of locked methods run, so that the end of the application can wait for them. */
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

  /** Blocks until none runs. */
  void awaitNone() throws InterruptedException {
    guard.lockInterruptibly();
    try {
      while (running > 0) {
        none.await();
      }
    } finally {
      guard.unlock();
    }
  }
}
