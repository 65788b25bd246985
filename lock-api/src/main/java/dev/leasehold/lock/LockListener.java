package dev.leasehold.lock;

import java.util.Optional;

/**
 * Observes what happens to locks: metrics, logs, traces.
 *
 * <p>Given to {@link LockManager.Builder#listener} or found by {@link java.util.ServiceLoader}.
 * Called on the manager's executor, so events may come at the same time and in any order, those of
 * one lock too: the end of a short hold perhaps before its beginning. Who needs their order, or to
 * know which belong together, follows acquisitions: {@link #asked}. A listener that throws or is
 * slow harms nobody but itself.
 */
@FunctionalInterface
public interface LockListener {

  /** Something happened; see {@link LockEvent} for what. */
  void on(LockEvent event);

  /** Something happened to a node of a quorum. Does nothing by default. */
  default void onNode(NodeEvent event) {}

  /**
   * Somebody asks for a lock, in whatever way: each asking is an acquisition of its own, a re-entry
   * too. Called by the thread that asks, before it waits, so that what the thread carries is there
   * (the context of a trace); alone of all, it delays its caller by what it takes. It must not ask
   * this manager for a lock: that would ask it again, and so on.
   *
   * @param kind what it is asked for: permits of a semaphore, say
   * @param lockName its name
   * @return follows this acquisition; empty, which is the default, for nobody
   */
  default Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
    return Optional.empty();
  }
}
