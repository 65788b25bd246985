package dev.leasehold.redis.common;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.lock.spi.quorum.ListedNode.Membership;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.lock.spi.quorum.SlotStore;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The scheme with fences and wake-ups on a node of a quorum. Thread-safe. */
public final class FencedNode extends FencedStore implements QuorumNode, SlotStore, ListedNode {
  private final NodeDriver node;

  /** As the superclass. */
  public FencedNode(NodeDriver node, String storeId, KeySpace keys) {
    super(node, Script.GUARDED_ACQUIRE, storeId, keys);
    this.node = node;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return vote(request, 0);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    askIfDue(request);
    return take(
        request,
        scripts.publishes(request)
            ? scripts.vote(request, proposal, how(request.key()))
            : scripts.vote(request, proposal));
  }

  @Override
  public CompletionStage<ReleaseResult> withdraw(LeaseKey lease) {
    return scripts.isInOrder()
        ? redis.release(List.of(lease), () -> ScriptCall.release(lease, scripts.withdraw(lease)))
        : release(lease);
  }

  /** False: each lock needs its own vote. */
  @Override
  public boolean takesTogether(List<String> names) {
    return false;
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return raise(lease, FencedScripts.raise(lease, fence, handOvers, keys));
  }

  @Override
  public CompletionStage<OptionalLong> time() {
    return redis.send(
        new ScriptCall<>(
            "ask for the time for",
            "*",
            FencedScripts.time(),
            micros -> OptionalLong.of((Long) micros)));
  }

  @Override
  LeaseStore side(ReadWriteScripts side) {
    return new SideNode(redis, side);
  }

  @Override
  public SlotView slots(List<Integer> slots, int of) {
    return new SlotsView(redis, new SlotScripts(storeId, keys, slots, of));
  }

  @Override
  public CompletionStage<Permits> countSlots(String name) {
    return count(name, new SlotScripts(storeId, keys, List.of(), 1).count(name));
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = EnumSet.copyOf(super.guarantees());
    all.remove(Guarantee.LATCH);
    all.remove(Guarantee.LATCH_OPENING);
    all.remove(Guarantee.TOGETHER);
    all.add(Guarantee.SLOTS);
    return all;
  }

  @Override
  public String serverId() {
    return node.runId();
  }

  @Override
  public String nodeId() {
    return node.voter().id();
  }

  @Override
  public void partOf(Supplier<Membership> membership) {
    node.voter().partOf(membership);
  }
}
