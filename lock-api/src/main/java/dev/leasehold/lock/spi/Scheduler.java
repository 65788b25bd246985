package dev.leasehold.lock.spi;

import java.time.Duration;

/** Runs tasks later. Thread-safe. */
@FunctionalInterface
public interface Scheduler {

  /**
   * Runs a task once after a delay. Tasks must be short and not block: they all may share a thread.
   *
   * @return cancels it; a task that has begun goes on
   */
  Scheduled schedule(Duration delay, Runnable task);

  /** A task that waits for its time. */
  @FunctionalInterface
  interface Scheduled {

    /** Takes it back. Idempotent; does nothing once it has begun. */
    void cancel();
  }
}
