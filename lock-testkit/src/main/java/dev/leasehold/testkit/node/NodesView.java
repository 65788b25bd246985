package dev.leasehold.testkit.node;

import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.Optional;

/** A view of the locks on in-memory nodes: shows what a majority of them has. */
public final class NodesView implements ServerView {
  private final MemoryNodes nodes;

  /** A view of these nodes, which it does not close. */
  public NodesView(MemoryNodes nodes) {
    this.nodes = nodes;
  }

  @Override
  public Optional<Entry> look(String lockName) {
    return nodes
        .holder(lockName)
        .flatMap(
            token ->
                nodes.keptUntil(lockName).map(end -> new Entry(token, Optional.of(left(end)))));
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  @Override
  public void remove(String lockName) {
    nodes.all().forEach(node -> node.remove(lockName));
  }

  @Override
  public void put(String lockName, String holder, Duration ttl) {
    nodes.all().forEach(node -> node.put(lockName, holder, ttl));
  }

  @Override
  public void close() {}
}
