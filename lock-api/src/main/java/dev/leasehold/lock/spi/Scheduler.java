package dev.leasehold.lock.spi;

import java.time.Duration;

/** Runs tasks after a delay. Thread-safe. */
@FunctionalInterface
public interface Scheduler {

  /**
   * Runs a task once after a delay. Tasks must be short and not block: all may share a thread.
   *
   * @return a handle to cancel the task; a running task is not interrupted
   */
  Scheduled schedule(Duration delay, Runnable task);

  /** A scheduled task. */
  @FunctionalInterface
  interface Scheduled {

    /** Cancels the task. Idempotent; does nothing once it has begun. */
    void cancel();
  }
}
