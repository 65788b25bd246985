package dev.leasehold.lock.spi;

import dev.leasehold.lock.NodeEvent;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** What the manager lends to its store. Thread-safe. */
public interface StoreContext {

  /** The manager's monotonic clock. */
  Ticker ticker();

  /** The manager's timers; a task must not block. */
  Scheduler scheduler();

  /**
   * Runs blocking store calls: on threads of the manager that nobody interrupts, or at once where
   * the caller of a lock operation may itself block.
   */
  Executor blockingExecutor();

  /** Runs calls side by side: always on threads of the manager, never on the caller's. */
  Executor executor();

  /** Tells the manager's listeners. Does nothing by default. */
  default void tell(NodeEvent event) {}

  /** Source of jitter. */
  RandomGenerator random();

  /** The manager's label, which begins each of its tokens. */
  String label();

  /** The longest one store call may take; the engine cancels it then. */
  Duration commandTimeout();
}
