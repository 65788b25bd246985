package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;

/**
 * An event of a node of a quorum, as reported to {@link LockListener}s. As with {@link LockEvent},
 * types may be added in any release: keep a default branch.
 */
public sealed interface NodeEvent {

  /** The node: its address without credentials, or its number, from 1. */
  String node();

  /** The node is unreachable or could not be opened; the manager keeps retrying. */
  record Down(String node, LockException cause) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("Down", "node", node, "cause", cause);
    }
  }

  /** The node is open again after it was down. */
  record Up(String node) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("Up", "node", node);
    }
  }

  /** The node was late so often in succession that it is still asked but no longer waited for. */
  record Slow(String node) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("Slow", "node", node);
    }
  }

  /** A slow node answered in time again. */
  record InTime(String node) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("InTime", "node", node);
    }
  }

  /** The node may have lost lock data; it does not vote until this time has passed. */
  record Quarantined(String node, Duration left) implements NodeEvent {
    @Override
    public String toString() {
      return Quoted.record("Quarantined", "node", node, "left", left);
    }
  }
}
