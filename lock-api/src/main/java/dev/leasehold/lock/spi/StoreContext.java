package dev.leasehold.lock.spi;

import dev.leasehold.lock.NodeEvent;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Services of the manager for its store. Thread-safe. */
public interface StoreContext {

  /** The manager's monotonic clock. */
  Ticker ticker();

  /** The manager's timers; their tasks run on its threads and must not block. */
  Scheduler scheduler();

  /**
   * Runs blocking store calls, on threads of the manager that are never interrupted and never
   * virtual. The caller of a lock operation waits only for an answer, not for the end of the call.
   */
  Executor blockingExecutor();

  /**
   * Offers the store call being requested to the requesting thread, which makes it as soon as it is
   * free; this saves two thread switches. The engine accepts only if a platform thread waits in a
   * blocking lock operation for this very call, for its own lease; never on engine threads, under a
   * mutex or on behalf of other callers. It cuts the call off at the command time-out, when that
   * thread is interrupted in an interruptible operation, and when the manager has closed.
   *
   * @return whether the offer is accepted; if not, run the call on {@link #blockingExecutor}. The
   *     default accepts none
   */
  default boolean byCaller(CallersCall call) {
    return false;
  }

  /**
   * Runs tasks that may block, concurrently, on threads like those of {@link #blockingExecutor}.
   */
  Executor executor();

  /** Notifies the manager's listeners. Does nothing by default. */
  default void tell(NodeEvent event) {}

  /** Source of jitter. */
  RandomGenerator random();

  /** The manager's label, which begins each of its tokens. */
  String label();

  /** The longest that one store call may take before the engine cancels it. */
  Duration commandTimeout();
}
