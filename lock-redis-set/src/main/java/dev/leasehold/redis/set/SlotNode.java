package dev.leasehold.redis.set;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotView;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotVote;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.SlotScripts;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Slots of semaphores on a node of a quorum. Thread-safe. */
final class SlotNode extends LettuceKindView implements SlotView {
  private final Guard guard;
  private final SlotScripts scripts;
  private final List<Integer> slots;
  private final int of;

  SlotNode(LettuceKindView store, Guard guard, SlotScripts scripts, List<Integer> slots, int of) {
    super(store);
    this.guard = guard;
    this.scripts = scripts;
    this.slots = List.copyOf(slots);
    this.of = of;
  }

  @Override
  public CompletionStage<SlotVote> ask(AcquireRequest request, long proposal) {
    return guard.take(
        request,
        Script.GUARDED_SLOTS_ACQUIRE,
        scripts.vote(request, slots, of, how(request.key()), proposal),
        (run, script) ->
            take(
                request,
                run,
                script,
                reply -> SlotScripts.voted(request, of, reply),
                vote -> vote.result() instanceof Granted));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return raise(lease, scripts.raise(lease, fence, handOvers));
  }

  @Override
  ScriptRequest giving(LeaseKey lease) {
    return scripts.release(lease, how(lease));
  }

  @Override
  ScriptRequest giving(LeaseKey lease, FenceRun run) {
    return scripts.release(lease, run, how(lease));
  }

  @Override
  ScriptRequest leaving(LeaseKey waiter) {
    return scripts.leave(waiter, slots.size(), how(waiter));
  }

  @Override
  ScriptRequest renewal(List<RenewRequest> batch) {
    return scripts.renew(batch);
  }

  @Override
  Optional<ScriptRequest> inspection(String name) {
    return Optional.empty();
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = super.guarantees();
    all.add(Guarantee.FENCING);
    return all;
  }
}
