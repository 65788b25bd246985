package dev.leasehold.redis.set;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.lock.spi.quorum.SlotStore;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.SlotScripts;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The scheme with fences and wake-ups on a node of a quorum. Thread-safe. */
final class RedisSetNode extends RedisSetStore implements QuorumNode, SlotStore, ListedNode {
  private final Guard guard;
  private final SlotScripts slots;

  RedisSetNode(Guard guard, WakeChannel channel, String storeId, StoreOptions options) {
    super(guard.redis(), channel, FencedScripts.ofNode(storeId, options.keys()), storeId, options);
    this.guard = guard;
    this.slots = new SlotScripts(storeId, options.keys());
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    guard.start(context);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return vote(request, 0);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    ScriptRequest vote =
        options.isFair()
            ? scripts.voteInOrder(request, proposal, how(request.key()))
            : scripts.vote(request, proposal);
    return guard.take(request, vote.script(), vote, (run, script) -> acquire(request, run, script));
  }

  @Override
  public CompletionStage<ReleaseResult> withdraw(LeaseKey lease) {
    return options.isFair()
        ? ending(
            List.of(lease),
            () -> number("release", lease.name(), scripts.withdraw(lease), Replies::release))
        : release(lease);
  }

  /** False: each lock needs its own vote. */
  @Override
  public boolean takesTogether(List<String> names) {
    return false;
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return raise(lease, FencedScripts.raise(lease, fence, handOvers, options.keys()));
  }

  @Override
  public CompletionStage<OptionalLong> time() {
    return number("ask for the time for", "*", FencedScripts.time(), OptionalLong::of);
  }

  @Override
  LeaseStore side(Side side, String beside) {
    return new ReadWriteNode(this, guard, readWrite, side, beside);
  }

  @Override
  public SlotView slots(List<Integer> slots, int of) {
    return new SlotNode(this, guard, this.slots, slots, of);
  }

  @Override
  public CompletionStage<Permits> countSlots(String name) {
    return list("count", name, slots.count(name), PermitScripts::counted);
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
    return guard.redis().runId();
  }

  @Override
  public String nodeId() {
    return guard.redis().voter().id();
  }

  @Override
  public void partOf(Supplier<Membership> membership) {
    guard.redis().voter().partOf(membership);
  }
}
