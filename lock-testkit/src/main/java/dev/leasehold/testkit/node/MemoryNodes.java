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

/** Some nodes in memory that are independent of one another. Thread-safe. */
public final class MemoryNodes implements AutoCloseable {
  private final List<MemoryNode> all;

  /** So many of them, all up. */
  public MemoryNodes(int count) {
    all = IntStream.range(0, count).mapToObj(MemoryNode::new).toList();
  }

  /** All of them. */
  public List<MemoryNode> all() {
    return all;
  }

  /** One of them, counted from 0. */
  public MemoryNode get(int index) {
    return all.get(index);
  }

  /** A new client of all of them. */
  public List<QuorumNode> clients() {
    return all.stream().map(MemoryNode::client).toList();
  }

  /** The fewest that are more than half. */
  public int majority() {
    return all.size() / 2 + 1;
  }

  /** How many have a lock now, whoever's. */
  public int keeping(String name) {
    return (int) all.stream().filter(node -> node.look(name).isPresent()).count();
  }

  /** The token that a majority has, if there is one. */
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
   * Until when a majority keeps the lock for whoever has it there, if nobody renews it.
   *
   * @return by {@link System#nanoTime()}; empty if no majority has it for one token
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
