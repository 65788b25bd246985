package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.redis.common.Script;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Plain mode on a node of a quorum. Besides the lock's key there is the node's marker, which
 * clients in other languages ignore. Thread-safe.
 */
final class PlainNode extends PlainStore implements ListedNode {
  private final Guard guard;

  PlainNode(Guard guard, StoreOptions options) {
    super(guard.redis(), options);
    this.guard = guard;
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    guard.start(context);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return guard.take(
        request,
        Script.GUARDED_PLAIN_ACQUIRE,
        script(request),
        (run, script) -> acquire(request, run, script));
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
