package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A node as it is, for tests to change in one point. */
class Delegate implements QuorumNode {
  private final QuorumNode node;

  Delegate(QuorumNode node) {
    this.node = node;
  }

  @Override
  public void start(StoreContext context) {
    node.start(context);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return node.acquire(request);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    return node.vote(request, proposal);
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return node.raise(lease, fence, handOvers);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return node.renew(batch);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return node.release(lease);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return node.release(lease, run);
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return node.leave(waiter);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return node.inspect(name);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return node.guarantees();
  }

  @Override
  public void close() {
    node.close();
  }
}
