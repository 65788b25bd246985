package dev.leasehold.lock;

/**
 * Observes what happens to locks: metrics, logs, traces.
 *
 * <p>Given to {@link LockManager.Builder#listener} or found by {@link java.util.ServiceLoader}.
 * Called on the manager's executor, so events may come at the same time and in any order, those of
 * one lock too: the end of a short hold perhaps before its beginning. A listener that throws or is
 * slow harms nobody but itself.
 */
@FunctionalInterface
public interface LockListener {

  /** Something happened; see {@link LockEvent} for what. */
  void on(LockEvent event);

  /** Something happened to a node of a quorum. Does nothing by default. */
  default void onNode(NodeEvent event) {}
}
