package dev.leasehold.redis.set;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.ScriptRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A side of read/write locks, on a store's connection and channel. Thread-safe. */
class ReadWriteView implements LeaseStore {
  private final ReadWriteViews shared;
  private final Side side;
  private final String beside;

  /**
   * A side.
   *
   * @param beside the token of a writer that a reader may stand beside; empty for none
   */
  ReadWriteView(ReadWriteViews shared, Side side, String beside) {
    this.shared = shared;
    this.side = side;
    this.beside = beside;
  }

  final Side side() {
    return side;
  }

  private Publishing how(LeaseKey key) {
    return shared.channel().publishing(key.name());
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return acquire(
        request,
        shared.redis(),
        shared.scripts().acquire(request, side, beside, how(request.key())));
  }

  /** The script by which a node of a quorum takes it. */
  final ScriptRequest voting(AcquireRequest request, long proposal) {
    return shared.scripts().vote(request, side, beside, how(request.key()), proposal);
  }

  final CompletionStage<AcquireResult> acquire(
      AcquireRequest request, Sender to, ScriptRequest script) {
    ScriptCall<Object, AcquireResult> call =
        new ScriptCall<>(
            to,
            "acquire",
            request.key().name(),
            script,
            NumbersOutput::new,
            reply -> Replies.acquire(reply, request.ttl()));
    StoreOptions options = shared.options();
    return options.asksReplicas()
        ? call.sendAcknowledged(
            new Acknowledgement<>(
                options.replicas(), r -> r instanceof Granted, () -> release(request.key())))
        : call.send();
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return Renewing.renew(
        shared.redis(), batch, part -> shared.scripts().renew(part, side), shared.options());
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return released(lease, shared.scripts().release(lease, side, how(lease)));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return released(lease, shared.scripts().release(lease, side, run, how(lease)));
  }

  private CompletionStage<ReleaseResult> released(LeaseKey lease, ScriptRequest script) {
    return new ScriptCall<>(
            shared.redis(),
            "release",
            lease.name(),
            script,
            RedisSetStore::number,
            Replies::release)
        .send();
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return new ScriptCall<>(
            shared.redis(),
            "leave",
            waiter.name(),
            shared.scripts().leave(waiter, side, how(waiter)),
            RedisSetStore::number,
            reply -> reply)
        .send();
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return shared.channel().watch(waiter.name(), wakeUp);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return new ScriptCall<List<Object>, Optional<StoredLease>>(
            shared.redis(),
            "inspect",
            name,
            shared.scripts().inspect(name, side),
            RedisSetStore::list,
            Replies::inspect)
        .send();
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
