package dev.leasehold.testkit.node;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.testkit.fault.Op;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A client's connection to one side of a node's read/write locks. */
record SideClient(MemoryNode node, int client, Sides.Side side) implements QuorumNode {

  private <T> CompletionStage<T> call(Op op, LeaseKey key, Function<Sides, T> work) {
    NodeCall call = new NodeCall(op, key.name(), key.token());
    return node.call(client, call, locks -> work.apply(locks.sides()));
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return vote(request, 0);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    return call(Op.ACQUIRE, request.key(), sides -> sides.acquire(side, request, proposal));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return call(Op.RENEW, lease, sides -> sides.raise(side, lease, fence + handOvers));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(this::renew).toList();
  }

  private CompletionStage<RenewResult> renew(RenewRequest request) {
    return call(Op.RENEW, request.key(), sides -> sides.renew(side, request));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return call(Op.RELEASE, lease, sides -> sides.release(side, lease));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return call(Op.RELEASE, lease, sides -> sides.release(side, lease, run));
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return call(Op.INSPECT, new LeaseKey(name, ""), sides -> sides.inspect(side, name));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return Set.of(
        Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.CLOCK_INDEPENDENT, Guarantee.FENCING);
  }

  /** The node outlives its clients. */
  @Override
  public void close() {}
}
