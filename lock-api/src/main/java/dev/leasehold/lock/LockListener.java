package dev.leasehold.lock;

import java.util.Optional;

/**
 * Observes lock events, for metrics, logs and traces.
 *
 * <p>Registered by {@link LockManager.Builder#listener} or found by {@link
 * java.util.ServiceLoader}. Called on the manager's executor, so events may arrive concurrently and
 * in any order, even those of one lock: the end of a short hold may arrive before its beginning. A
 * listener that needs the order, or the events that belong together, follows acquisitions: {@link
 * #asked}. A listener that throws or is slow affects only itself.
 */
@FunctionalInterface
public interface LockListener {

  /** Called for each event; see {@link LockEvent}. */
  void on(LockEvent event);

  /** Called for each event of a node of a quorum. Does nothing by default. */
  default void onNode(NodeEvent event) {}

  /**
   * Called for each acquisition of any form, including re-entries. Runs on the calling thread
   * before it waits, so that thread-bound state such as a trace context is available; unlike the
   * other methods, it delays the caller. It must not request a lock of this manager, which would
   * call it again recursively.
   *
   * @param kind kind of the lock
   * @param lockName name of the lock
   * @return the listener for this acquisition; empty, the default, for none
   */
  default Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
    return Optional.empty();
  }
}
