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
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.ScriptRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Read/write locks on a store's connection and channel. Thread-safe. */
final class ReadWriteViews {
  private final Redis redis;
  private final WakeChannel channel;
  private final ReadWriteScripts scripts;
  private final StoreOptions options;

  ReadWriteViews(Redis redis, WakeChannel channel, ReadWriteScripts scripts, StoreOptions options) {
    this.redis = redis;
    this.channel = channel;
    this.scripts = scripts;
    this.options = options;
  }

  /**
   * A side.
   *
   * @param beside the token of a writer that a reader may stand beside; empty for none
   */
  LeaseStore view(Side side, String beside) {
    return new View(side, beside);
  }

  private final class View implements LeaseStore {
    private final Side side;
    private final String beside;

    View(Side side, String beside) {
      this.side = side;
      this.beside = beside;
    }

    private Publishing how(LeaseKey key) {
      return channel.publishing(key.name());
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      ScriptCall<Object, AcquireResult> call =
          new ScriptCall<>(
              redis,
              "acquire",
              request.key().name(),
              scripts.acquire(request, side, beside, how(request.key())),
              NumbersOutput::new,
              reply -> Replies.acquire(reply, request.ttl()));
      return options.asksReplicas()
          ? call.sendAcknowledged(
              new Acknowledgement<>(
                  options.replicas(), r -> r instanceof Granted, () -> release(request.key())))
          : call.send();
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return Renewing.renew(redis, batch, part -> scripts.renew(part, side), options);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return released(lease, scripts.release(lease, side, how(lease)));
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
      return released(lease, scripts.release(lease, side, run, how(lease)));
    }

    private CompletionStage<ReleaseResult> released(LeaseKey lease, ScriptRequest script) {
      return new ScriptCall<>(
              redis, "release", lease.name(), script, RedisSetStore::number, Replies::release)
          .send();
    }

    @Override
    public CompletionStage<?> leave(LeaseKey waiter) {
      return new ScriptCall<>(
              redis,
              "leave",
              waiter.name(),
              scripts.leave(waiter, side, how(waiter)),
              RedisSetStore::number,
              reply -> reply)
          .send();
    }

    @Override
    public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
      return channel.watch(waiter.name(), wakeUp);
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return new ScriptCall<List<Object>, Optional<StoredLease>>(
              redis,
              "inspect",
              name,
              scripts.inspect(name, side),
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
}
