package dev.leasehold.redlock;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.NodeEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that keeps what it hears of nodes. */
final class HeardNodes implements LockListener {
  final List<NodeEvent> events = new CopyOnWriteArrayList<>();

  @Override
  public void on(LockEvent event) {}

  @Override
  public void onNode(NodeEvent event) {
    events.add(event);
  }
}
