package dev.leasehold.testkit.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Worker JVMs that wait for their next rule. A start costs as much as some ten rules, so all suites
 * of this JVM share them, one after another and side by side: a worker is told anew what to open,
 * and where. A few are kept until this JVM ends, and end with it. Thread-safe.
 */
final class IdleWorkers {
  /** As many as rules use at a time, mostly. */
  private static final int MOST = 4;

  private final ReentrantLock mutex = new ReentrantLock();
  private final Deque<Worker> idle = new ArrayDeque<>();

  /** The one that was used last; empty if none is left. */
  Optional<Worker> take() {
    mutex.lock();
    try {
      for (Worker worker = idle.poll(); worker != null; worker = idle.poll()) {
        if (worker.isAlive()) {
          return Optional.of(worker);
        }
      }
      return Optional.empty();
    } finally {
      mutex.unlock();
    }
  }

  /** Keeps one that has nothing open, or ends it if there are enough. */
  void keep(Worker worker) {
    mutex.lock();
    try {
      if (idle.size() < MOST) {
        idle.push(worker);
        return;
      }
    } finally {
      mutex.unlock();
    }
    worker.close();
  }
}
