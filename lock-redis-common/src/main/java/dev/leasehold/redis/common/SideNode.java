package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.util.concurrent.CompletionStage;

/** A side of read/write locks on a node of a quorum. Thread-safe. */
final class SideNode extends KindView implements QuorumNode {
  private final ReadWriteScripts scripts;

  SideNode(RedisDriver redis, ReadWriteScripts scripts) {
    super(redis, scripts);
    this.scripts = scripts;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return vote(request, 0);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    return take(request, scripts.vote(request, how(request.key()), proposal));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return raise(lease, scripts.raise(lease, fence, handOvers));
  }
}
