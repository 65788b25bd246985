package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.QuorumNode;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Waiting;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A node as in plain mode: it knows no fences and no waiters. */
final class PlainNode extends Delegate {
  PlainNode(QuorumNode node) {
    super(node);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return super.acquire(
            new AcquireRequest(request.key(), request.ttl(), Waiting.NO, request.again()))
        .thenApply(
            result ->
                result instanceof AcquireResult.Granted granted
                    ? new AcquireResult.Granted(OptionalLong.empty(), granted.ttl())
                    : result);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    throw new AssertionError("a vote on a fence");
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence) {
    throw new AssertionError("a second round");
  }

  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY);
  }
}
