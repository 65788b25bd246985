package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.util.List;
import java.util.Map;

/**
 * One lock in detail.
 *
 * @param entry as in a listing, with up to {@value #MOST} holds
 * @param waiters its queue in order, at most {@value #MOST}
 * @param nodes the answer of each server
 * @param connections the connections whose name is a holder's label, by label: they show where the
 *     holder is. None for a holder whose connections have another name, such as an application's
 *     own client, or if the user has no permission for {@code CLIENT LIST}
 */
public record LockDetails(
    ListedLock entry,
    List<QueuedWaiter> waiters,
    List<NodeState> nodes,
    Map<String, List<ClientConnection>> connections) {
  /** The most holds and waiters that are shown. */
  public static final int MOST = 1000;

  /** Copies the lists. */
  public LockDetails {
    waiters = List.copyOf(waiters);
    nodes = List.copyOf(nodes);
    connections = Map.copyOf(connections);
  }

  @Override
  public String toString() {
    return Quoted.record(
        "LockDetails",
        "entry",
        entry,
        "waiters",
        waiters,
        "nodes",
        nodes,
        "connections",
        connections);
  }
}
