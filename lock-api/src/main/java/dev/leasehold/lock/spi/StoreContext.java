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

  /**
   * Has the call that the store is asked for now made by the thread that asks, as soon as it has
   * nothing else to do: two changes of threads less. The engine allows that where a platform thread
   * waits in a blocking lock operation for this very call, for its own lease; never on threads that
   * do the engine's work, under a mutex, or for others. It cuts the call off at the command
   * time-out, when that thread is interrupted in an operation that ends by that, and when the
   * manager has closed.
   *
   * @return whether the call is taken; if not, it has to go by {@link #blockingExecutor}. By
   *     default none is
   */
  default boolean byCaller(CallersCall call) {
    return false;
  }

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
