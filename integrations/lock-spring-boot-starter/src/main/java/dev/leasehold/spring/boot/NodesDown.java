package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.NodeEvent;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Tracks which nodes of a quorum are down. Thread-safe. */
final class NodesDown implements LockListener {
  private final Set<String> down = ConcurrentHashMap.newKeySet();

  @Override
  public void on(LockEvent event) {}

  @Override
  public void onNode(NodeEvent event) {
    if (event instanceof NodeEvent.Down) {
      down.add(event.node());
    } else if (event instanceof NodeEvent.Up) {
      down.remove(event.node());
    }
  }

  Set<String> now() {
    return new TreeSet<>(down);
  }
}
