package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.quorum.SlotStore;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotVote;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** A node grants any of its permits instead of the requested slots: each node counts on its own. */
final class PermitsCountedPerNode extends QuorumSketch implements PermitStore {
  PermitsCountedPerNode(List<? extends LeaseStore> nodes) {
    super(nodes, Guarantee.PERMITS);
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    List<LeaseStore> counting =
        nodes.stream()
            .map(node -> (LeaseStore) new AnySlots((SlotStore) node, wanted, of))
            .toList();
    return new QuorumSketch(counting) {
      @Override
      StoreContext context() {
        return PermitsCountedPerNode.this.context();
      }
    };
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return ((SlotStore) nodes.get(0)).countSlots(name);
  }

  @Override
  public CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return CompletableFuture.failedFuture(new LockConfigurationException("not in parts"));
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return CompletableFuture.failedFuture(new LockConfigurationException("no resize"));
  }

  /** Any permits of a node. */
  private record AnySlots(SlotStore node, int wanted, int of) implements LeaseStore {
    private SlotStore.SlotView first() {
      return node.slots(IntStream.range(0, wanted).boxed().toList(), of);
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      return first().ask(request, 0).thenCompose(vote -> orOthers(request, vote));
    }

    private CompletionStage<AcquireResult> orOthers(AcquireRequest request, SlotVote vote) {
      return vote.free().size() < wanted
          ? CompletableFuture.completedFuture(vote.result())
          : node.slots(vote.free().subList(0, wanted), of).acquire(request);
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return first().renew(batch);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return first().release(lease);
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return first().inspect(name);
    }

    @Override
    public Set<Guarantee> guarantees() {
      return first().guarantees();
    }

    @Override
    public void close() {
      // the store closes its nodes
    }
  }
}
