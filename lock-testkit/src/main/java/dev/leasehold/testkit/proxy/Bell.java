package dev.leasehold.testkit.proxy;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Signals every change that a thread may wait for. */
final class Bell {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();

  void ring() {
    lock.lock();
    try {
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the condition holds; its state must ring the bell on each change. */
  void await(BooleanSupplier isSo) {
    if (isSo.getAsBoolean()) {
      return;
    }
    lock.lock();
    try {
      while (!isSo.getAsBoolean()) {
        rung.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the condition holds or the time is over; returns whether it holds. */
  boolean await(BooleanSupplier isSo, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (!isSo.getAsBoolean()) {
        if (left <= 0) {
          return false;
        }
        left = rung.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
