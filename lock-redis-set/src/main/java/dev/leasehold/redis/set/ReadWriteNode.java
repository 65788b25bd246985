package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Script;
import java.util.concurrent.CompletionStage;

/** A side of read/write locks on a node of a quorum. Thread-safe. */
final class ReadWriteNode extends ReadWriteView implements QuorumNode {
  private final ReadWriteViews shared;
  private final Guard guard;

  /**
   * A side.
   *
   * @param beside as there
   */
  ReadWriteNode(ReadWriteViews shared, Guard guard, Side side, String beside) {
    super(shared, side, beside);
    this.shared = shared;
    this.guard = guard;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return vote(request, 0);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    return guard.take(
        request,
        Script.GUARDED_READ_WRITE_ACQUIRE,
        voting(request, proposal),
        (run, script) -> acquire(request, run, script));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return new ScriptCall<Long, RenewResult>(
            shared.redis(),
            "raise the fence of",
            lease.name(),
            shared.scripts().raise(lease, side(), fence, handOvers),
            RedisSetStore::number,
            reply -> reply == 1 ? RenewResult.RENEWED : RenewResult.NOT_OWNER)
        .send();
  }
}
