package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.node.NodesView;
import dev.leasehold.testkit.view.ServerView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** A quorum in the usual style, over three in-memory nodes. */
final class QuorumControl extends Control {
  private static final int NODES = 3;

  private final Map<String, MemoryNodes> memories;
  private final Function<List<? extends LeaseStore>, LeaseStore> over;

  /**
   * A scheme over any nodes. A broken quorum occasionally breaks nearly every rule; only its own
   * rules always.
   */
  QuorumControl(String name, Rules broken, Function<List<? extends LeaseStore>, LeaseStore> over) {
    this(name, broken, over, new ConcurrentHashMap<>());
  }

  private QuorumControl(
      String name,
      Rules broken,
      Function<List<? extends LeaseStore>, LeaseStore> over,
      Map<String, MemoryNodes> memories) {
    super(name, broken, address -> over.apply(nodes(memories, address).clients()));
    this.over = over;
    this.memories = memories;
    concerning("QU-.*|RW-7|SE-7|CL-4");
    sparing(
        Stream.of("QU-1", "QU-5", "QU-7")
            .filter(id -> !breaks().contains(id))
            .limit(1)
            .toArray(String[]::new));
  }

  private static MemoryNodes nodes(Map<String, MemoryNodes> memories, String address) {
    return memories.computeIfAbsent(address, a -> new MemoryNodes(NODES));
  }

  @Override
  public Reach reach() {
    return Reach.PROCESS;
  }

  @Override
  public Optional<LeaseStore> quorum(List<? extends LeaseStore> nodes) {
    return Optional.of(over.apply(nodes));
  }

  @Override
  public Optional<ServerView> view(String address) {
    return Optional.of(new NodesView(nodes(memories, address)));
  }
}
