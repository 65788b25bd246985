package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Script;
import java.util.concurrent.CompletionStage;

/** A side of read/write locks on a node of a quorum. Thread-safe. */
final class ReadWriteNode extends ReadWriteView implements QuorumNode {
  private final Guard guard;

  /**
   * A side.
   *
   * @param beside as in the superclass
   */
  ReadWriteNode(
      LettuceKindView store, Guard guard, ReadWriteScripts scripts, Side side, String beside) {
    super(store, scripts, side, beside);
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
    return raise(lease, scripts.raise(lease, side, fence, handOvers));
  }
}
