package dev.leasehold.memory;

import dev.leasehold.lock.LockManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A manager as a separate process, which can be paused and crash. */
final class MemoryProcess {
  private final MemoryStore store;
  private final ReentrantLock mutex = new ReentrantLock();
  private final List<Runnable> held = new ArrayList<>();
  private volatile boolean paused;
  private volatile boolean crashed;

  MemoryProcess(Memory memory) {
    store = new MemoryStore(memory, this::whenItRuns);
  }

  MemoryStore store() {
    return store;
  }

  /** Configures the engine for manual time. */
  LockManager.Builder manual(LockManager.Builder builder, ManualTime time, Workers workers) {
    return builder
        .ticker(time)
        .scheduler(time.timersOf(this))
        .workers(task -> whenItRuns(() -> workers.runWork(task)))
        .executor(task -> whenItRuns(() -> workers.run(task)))
        .random(() -> 0); // no jitter: a third of a lease is a third
  }

  private void whenItRuns(Runnable task) {
    mutex.lock();
    try {
      if (crashed) {
        return;
      }
      if (paused) {
        held.add(task);
        return;
      }
    } finally {
      mutex.unlock();
    }
    task.run();
  }

  boolean isPaused() {
    return paused;
  }

  boolean hasCrashed() {
    return crashed;
  }

  void pause() {
    mutex.lock();
    try {
      paused = true;
    } finally {
      mutex.unlock();
    }
  }

  void resume() {
    List<Runnable> now;
    mutex.lock();
    try {
      paused = false;
      now = List.copyOf(held);
      held.clear();
    } finally {
      mutex.unlock();
    }
    now.forEach(Runnable::run);
  }

  void crash() {
    mutex.lock();
    try {
      crashed = true;
      held.clear();
    } finally {
      mutex.unlock();
    }
    store.close();
  }
}
