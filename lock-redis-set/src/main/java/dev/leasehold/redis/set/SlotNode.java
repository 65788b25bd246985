package dev.leasehold.redis.set;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotView;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotVote;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.SlotScripts;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Slots of semaphores on a node of a quorum. Thread-safe. */
final class SlotNode implements SlotView {
  private final Shared shared;
  private final List<Integer> slots;
  private final int of;

  /** What all of a node's have in common. */
  record Shared(Guard guard, WakeChannel channel, SlotScripts scripts, StoreOptions options) {}

  SlotNode(Shared shared, List<Integer> slots, int of) {
    this.shared = shared;
    this.slots = List.copyOf(slots);
    this.of = of;
  }

  private Publishing how(LeaseKey key) {
    return shared.channel.publishing(key.name());
  }

  private Redis redis() {
    return shared.guard.redis();
  }

  @Override
  public CompletionStage<SlotVote> ask(AcquireRequest request, long proposal) {
    ScriptRequest script = shared.scripts.vote(request, slots, of, how(request.key()), proposal);
    return shared.guard.ask(
        request,
        Script.GUARDED_SLOTS_ACQUIRE,
        script,
        (run, guarded) ->
            new ScriptCall<Object, SlotVote>(
                    run,
                    "acquire",
                    request.key().name(),
                    guarded,
                    NumbersOutput::new,
                    reply -> SlotScripts.voted(request, of, reply))
                .send());
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return new ScriptCall<Long, RenewResult>(
            redis(),
            "raise the fence of",
            lease.name(),
            shared.scripts.raise(lease, fence, handOvers),
            RedisSetStore::number,
            reply -> reply == 1 ? RenewResult.RENEWED : RenewResult.NOT_OWNER)
        .send();
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return Renewing.renew(redis(), batch, shared.scripts::renew, shared.options);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return released(lease, shared.scripts.release(lease, how(lease)));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return released(lease, shared.scripts.release(lease, run, how(lease)));
  }

  private CompletionStage<ReleaseResult> released(LeaseKey lease, ScriptRequest script) {
    return new ScriptCall<>(
            redis(), "release", lease.name(), script, RedisSetStore::number, Replies::release)
        .send();
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return new ScriptCall<>(
            redis(),
            "leave",
            waiter.name(),
            shared.scripts.leave(waiter, slots.size(), how(waiter)),
            RedisSetStore::number,
            reply -> reply)
        .send();
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return shared.channel.watch(waiter.name(), wakeUp);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.WAKE_UP,
        Guarantee.WAKE_ONE,
        Guarantee.TURNS,
        Guarantee.FENCING);
  }

  @Override
  public void close() {
    // The store closes what the views share.
  }
}
