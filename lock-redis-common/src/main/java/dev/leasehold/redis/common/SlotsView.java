package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotView;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotVote;
import java.util.concurrent.CompletionStage;

/** Slots of semaphores on a node of a quorum. Thread-safe. */
final class SlotsView extends KindView implements SlotView {
  private final SlotScripts scripts;

  SlotsView(RedisDriver redis, SlotScripts scripts) {
    super(redis, scripts);
    this.scripts = scripts;
  }

  @Override
  public CompletionStage<SlotVote> ask(AcquireRequest request, long proposal) {
    return take(
        request,
        scripts.vote(request, how(request.key()), proposal),
        reply -> scripts.voted(request, reply),
        vote -> vote.result() instanceof Granted);
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return raise(lease, scripts.raise(lease, fence, handOvers));
  }
}
