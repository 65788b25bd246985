package dev.leasehold.testkit.node;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotView;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotVote;
import dev.leasehold.testkit.fault.Op;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A client's connection to the slots of a node's semaphores. */
record SlotClient(MemoryNode node, int client, List<Integer> slots, int of) implements SlotView {

  private <T> CompletionStage<T> call(Op op, LeaseKey key, Function<Slots, T> work) {
    NodeCall call = new NodeCall(op, key.name(), key.token());
    return node.call(client, call, locks -> work.apply(locks.slots()));
  }

  @Override
  public CompletionStage<SlotVote> ask(AcquireRequest request, long proposal) {
    return call(Op.ACQUIRE, request.key(), all -> all.acquire(slots, of, request, proposal));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return call(Op.RENEW, lease, all -> all.raise(lease, fence + handOvers));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(this::renew).toList();
  }

  private CompletionStage<RenewResult> renew(RenewRequest request) {
    return call(Op.RENEW, request.key(), all -> all.renew(request));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return call(Op.RELEASE, lease, all -> all.release(lease));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return call(Op.RELEASE, lease, all -> all.release(lease, run));
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return CompletableFuture.completedFuture(Optional.empty());
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
