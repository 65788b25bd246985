package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.Latches.State;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** A quorum that offers latches although each node counts only what reached it. */
final class LatchesOfNodes extends QuorumSketch implements LatchStore {
  private final Latches latches = new CountedByNodes(nodes.size());

  LatchesOfNodes(List<? extends LeaseStore> nodes) {
    super(nodes, Guarantee.LATCH);
  }

  @Override
  public Latches latches() {
    return latches;
  }

  /** The latches counted by each node. A count-down reaches only one of them. */
  private static final class CountedByNodes implements Latches {
    private final List<Map<String, State>> nodes;

    CountedByNodes(int nodes) {
      this.nodes =
          Stream.generate(() -> (Map<String, State>) new ConcurrentHashMap<String, State>())
              .limit(nodes)
              .toList();
    }

    private Map<String, State> anyNode() {
      return nodes.get(ThreadLocalRandom.current().nextInt(nodes.size()));
    }

    @Override
    public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
      nodes.forEach(node -> node.put(round.name(), new State(round.token(), count, keepFor, "")));
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<Boolean> countDown(LeaseKey once) {
      State left = anyNode().computeIfPresent(once.name(), (name, had) -> less(had));
      return CompletableFuture.completedFuture(left != null);
    }

    private static State less(State had) {
      return new State(had.round(), Math.max(0, had.count() - 1), had.left(), had.passed());
    }

    @Override
    public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
      return CompletableFuture.completedFuture(Optional.ofNullable(anyNode().get(waiter.name())));
    }
  }
}
