package dev.leasehold.redis.set;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.ScriptRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Semaphores on a store's connection and channel. Thread-safe. */
final class PermitViews {
  private final Redis redis;
  private final WakeChannel channel;
  private final PermitScripts scripts;
  private final StoreOptions options;

  PermitViews(Redis redis, WakeChannel channel, PermitScripts scripts, StoreOptions options) {
    this.redis = redis;
    this.channel = channel;
    this.scripts = scripts;
    this.options = options;
  }

  LeaseStore view(int wanted, int of) {
    return new View(wanted, of);
  }

  CompletionStage<Permits> count(String name) {
    return new ScriptCall<List<Object>, Permits>(
            redis, "count", name, scripts.count(name), RedisSetStore::list, PermitScripts::counted)
        .send();
  }

  CompletionStage<?> resize(String name, int from, int to) {
    return number("resize", name, scripts.resize(name, from, to, channel.publishing(name)))
        .thenAccept(
            now -> {
              if (now != to) {
                throw PermitStore.anotherNumber(name, from, now);
              }
            });
  }

  private Call<Long, Long> number(String operation, String name, ScriptRequest script) {
    return new ScriptCall<Long, Long>(
            redis, operation, name, script, RedisSetStore::number, reply -> reply)
        .send();
  }

  /** Permits, so many at once. */
  private final class View implements LeaseStore {
    private final int wanted;
    private final int of;

    View(int wanted, int of) {
      this.wanted = wanted;
      this.of = of;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      String name = request.key().name();
      ScriptCall<Object, AcquireResult> call =
          new ScriptCall<>(
              redis,
              "acquire",
              name,
              scripts.acquire(request, wanted, of, channel.publishing(name)),
              NumbersOutput::new,
              reply -> PermitScripts.acquired(request, of, reply));
      return options.asksReplicas()
          ? call.sendAcknowledged(
              new Acknowledgement<>(
                  options.replicas(), r -> r instanceof Granted, () -> release(request.key())))
          : call.send();
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return Renewing.renew(redis, batch, scripts::renew, options);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return new ScriptCall<>(
              redis,
              "release",
              lease.name(),
              scripts.release(lease, wanted, channel.publishing(lease.name())),
              RedisSetStore::number,
              Replies::release)
          .send();
    }

    @Override
    public CompletionStage<?> leave(LeaseKey waiter) {
      return number(
          "leave", waiter.name(), scripts.leave(waiter, wanted, channel.publishing(waiter.name())));
    }

    @Override
    public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
      return channel.watch(waiter.name(), wakeUp);
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
          Guarantee.TURNS);
    }

    @Override
    public void close() {
      // The store closes what the views share.
    }
  }
}
