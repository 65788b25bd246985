package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.node.NodesView;
import dev.leasehold.testkit.view.ServerView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The quorum's core over three nodes in memory, as the suite wants it. */
public final class MemoryQuorum implements BackendUnderTest {
  private static final int NODES = 3;
  private final Map<String, MemoryNodes> memories = new ConcurrentHashMap<>();

  private MemoryNodes nodes(String address) {
    return memories.computeIfAbsent(address, a -> new MemoryNodes(NODES));
  }

  @Override
  public String name() {
    return "redlock, three nodes in memory";
  }

  @Override
  public Reach reach() {
    return Reach.PROCESS;
  }

  @Override
  public LeaseStore open(String address) {
    return RedlockLocks.over(nodes(address).clients()).open();
  }

  @Override
  public Optional<LeaseStore> quorum(List<? extends LeaseStore> nodes) {
    return Optional.of(RedlockLocks.over(nodes).open());
  }

  @Override
  public Optional<ServerView> view(String address) {
    return Optional.of(new NodesView(nodes(address)));
  }
}
