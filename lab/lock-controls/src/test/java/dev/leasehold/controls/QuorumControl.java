package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.node.NodesView;
import dev.leasehold.testkit.view.ServerView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A quorum in the usual style, over three in-memory nodes. */
abstract class QuorumControl extends Control {
  private static final int NODES = 3;
  private final Map<String, MemoryNodes> memories = new ConcurrentHashMap<>();

  /** A broken quorum occasionally breaks nearly every rule; only its own rules always. */
  @Override
  final boolean concerns(String ruleId) {
    return ruleId.matches("QU-.*|RW-7|SE-7|CL-4");
  }

  @Override
  final List<String> spares() {
    return List.of("QU-1", "QU-5", "QU-7").stream()
        .filter(id -> !breaks().contains(id))
        .limit(1)
        .toList();
  }

  /** The scheme, over any nodes. */
  abstract LeaseStore over(List<? extends LeaseStore> nodes);

  private MemoryNodes nodes(String address) {
    return memories.computeIfAbsent(address, a -> new MemoryNodes(NODES));
  }

  @Override
  public final Reach reach() {
    return Reach.PROCESS;
  }

  @Override
  public final LeaseStore open(String address) {
    return over(nodes(address).clients());
  }

  @Override
  public final Optional<LeaseStore> quorum(List<? extends LeaseStore> nodes) {
    return Optional.of(over(nodes));
  }

  @Override
  public final Optional<ServerView> view(String address) {
    return Optional.of(new NodesView(nodes(address)));
  }
}
