package dev.leasehold.testkit.node;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.lock.spi.quorum.SlotStore;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A client's connection to a node. */
final class NodeClient implements QuorumNode, MinimumHold, ReadWriteStore, SlotStore {
  private static final long NO_PROPOSAL = 0;

  private final MemoryNode node;
  private final int client;

  NodeClient(MemoryNode node, int client) {
    this.node = node;
    this.client = client;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return vote(request, NO_PROPOSAL);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    return node.call(
        client, call(Op.ACQUIRE, request.key()), locks -> locks.acquire(request, proposal));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return node.call(client, call(Op.RENEW, lease), locks -> locks.raise(lease, fence, handOvers));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(this::renew).toList();
  }

  private CompletionStage<RenewResult> renew(RenewRequest request) {
    return node.call(client, call(Op.RENEW, request.key()), locks -> locks.renew(request));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return node.call(client, call(Op.RELEASE, lease), locks -> locks.release(lease));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return node.call(client, call(Op.RELEASE, lease), locks -> locks.release(lease, run));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return node.call(client, call(Op.KEEP, lease), locks -> locks.keep(lease, rest));
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return node.call(client, new NodeCall(Op.INSPECT, name, ""), locks -> locks.inspect(name));
  }

  @Override
  public LeaseStore reads() {
    return new SideClient(node, client, new Sides.Side(false, ""));
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return new SideClient(node, client, new Sides.Side(false, write.token()));
  }

  @Override
  public LeaseStore writes() {
    return new SideClient(node, client, new Sides.Side(true, ""));
  }

  @Override
  public SlotView slots(List<Integer> slots, int of) {
    return new SlotClient(node, client, slots, of);
  }

  @Override
  public CompletionStage<Permits> countSlots(String name) {
    return node.call(
        client, new NodeCall(Op.INSPECT, name, ""), locks -> locks.slots().count(name));
  }

  private static NodeCall call(Op op, LeaseKey key) {
    return new NodeCall(op, key.name(), key.token());
  }

  @Override
  public Set<Guarantee> guarantees() {
    return Set.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.FENCING,
        Guarantee.SHARED,
        Guarantee.PERMITS,
        Guarantee.SLOTS,
        Guarantee.MINIMUM_HOLD);
  }

  /** The node outlives its clients. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "client " + client + " of " + node;
  }
}
