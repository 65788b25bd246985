package dev.leasehold.testkit.node;

import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A set of independent in-memory nodes. Thread-safe. */
public final class MemoryNodes implements AutoCloseable {
  private final List<MemoryNode> all;

  /** Creates this many nodes, all up. */
  public MemoryNodes(int count) {
    all = IntStream.range(0, count).mapToObj(MemoryNode::new).toList();
  }

  /** All nodes. */
  public List<MemoryNode> all() {
    return all;
  }

  /** The node at an index, from 0. */
  public MemoryNode get(int index) {
    return all.get(index);
  }

  /** The connections of a new client to all nodes. */
  public List<QuorumNode> clients() {
    return all.stream().map(MemoryNode::client).toList();
  }

  /** The smallest number of nodes that is more than half. */
  public int majority() {
    return all.size() / 2 + 1;
  }

  /** The number of nodes on which the lock is held, by any holder. */
  public int keeping(String name) {
    return (int) all.stream().filter(node -> node.look(name).isPresent()).count();
  }

  /** The token that a majority of nodes has, if any. */
  public Optional<String> holder(String name) {
    return all.stream()
        .map(node -> node.look(name).map(MemoryNode.Kept::token))
        .flatMap(Optional::stream)
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
        .entrySet()
        .stream()
        .filter(votes -> votes.getValue() >= majority())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * Until when a majority keeps the lock for one token unless it is renewed.
   *
   * @return by {@link System#nanoTime()}; empty if no majority has the lock for one token
   */
  public Optional<Long> keptUntil(String name) {
    return holder(name)
        .flatMap(
            token ->
                all.stream()
                    .map(node -> node.look(name))
                    .flatMap(Optional::stream)
                    .filter(kept -> Objects.equals(kept.token(), token))
                    .map(MemoryNode.Kept::endsAt)
                    .sorted(Comparator.reverseOrder())
                    .skip(majority() - 1L)
                    .findFirst());
  }

  @Override
  public void close() {
    all.forEach(MemoryNode::close);
  }
}
