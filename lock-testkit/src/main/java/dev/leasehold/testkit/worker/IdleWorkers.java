package dev.leasehold.testkit.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Idle worker JVMs. Starting one costs as much as about ten rules, so all suites of this JVM share
 * them, sequentially and in parallel: each use names the manager that a worker opens. A few are
 * kept until this JVM ends. Thread-safe.
 */
final class IdleWorkers {
  /** The usual number of workers in use at once. */
  private static final int MOST = 4;

  private final ReentrantLock mutex = new ReentrantLock();
  private final Deque<Worker> idle = new ArrayDeque<>();

  /** The most recently used one; empty if there is none. */
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

  /** Keeps a worker that has nothing open, or ends it if there are enough. */
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
