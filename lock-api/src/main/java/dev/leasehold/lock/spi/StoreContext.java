package dev.leasehold.lock.spi;

import dev.leasehold.lock.NodeEvent;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** What the manager lends to its store. Thread-safe. */
public interface StoreContext {

  /** The manager's monotonic clock. */
  Ticker ticker();

  /** The manager's timers; their tasks run on its threads, and must not block. */
  Scheduler scheduler();

  /**
   * Runs blocking store calls: on threads of the manager that nobody interrupts, and that are never
   * virtual. The caller of a lock operation does not wait for them longer than for their answers.
   */
  Executor blockingExecutor();

  /** Runs what may block side by side: on threads as those of {@link #blockingExecutor}. */
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
