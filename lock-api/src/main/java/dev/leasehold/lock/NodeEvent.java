package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;

/**
 * What happened to a node of a quorum, as told to {@link LockListener}s. As with {@link LockEvent},
 * kinds may be added in any release: keep a default branch.
 */
public sealed interface NodeEvent {

  /** The node: its address, without credentials, or its number from 1 on. */
  String node();

  /** The node can't be reached or refused to be opened; it is tried again and again. */
  record Down(String node, LockException cause) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("Down", "node", node, "cause", cause);
    }
  }

  /** The node is open, after it was down. */
  record Up(String node) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("Up", "node", node);
    }
  }

  /** The node was late so often in a row that it is asked, but no longer waited for. */
  record Slow(String node) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("Slow", "node", node);
    }
  }

  /** The node, once slow, answered in time. */
  record InTime(String node) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("InTime", "node", node);
    }
  }

  /** The node may have forgotten locks; it does not vote before this time has passed. */
  record Quarantined(String node, Duration left) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("Quarantined", "node", node, "left", left);
    }
  }
}
