package dev.leasehold.redis.set;

import static dev.leasehold.redis.set.ScriptServer.text;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.FencedGuarantees;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LockKeys;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * {@code setnx-script} without Jedis, which blocks: the production scripts with the arguments of
 * redis-setnx. Each call may use its own connection: a release may arrive before the acquisition it
 * releases.
 */
final class SetnxScripts implements MinimumHold {
  private final RawConnection connection;
  private final FencedScripts scripts;
  private final String channel;

  /** Keys whose acquisition has no answer and may still arrive. */
  private final Set<LeaseKey> late = new HashSet<>();

  SetnxScripts(RawConnection connection, String storeId) {
    this.connection = connection;
    this.scripts = new FencedScripts(Script.SETNX_ACQUIRE, storeId);
    this.channel = text(Publishing.channelOf(storeId));
  }

  private CompletableFuture<Object> send(Operation operation, String name, ScriptRequest request) {
    return connection.send(operation, name, Eval.words(request));
  }

  private static Publishing how(LeaseKey key) {
    return Publishing.toStore(key.name(), Publishing.COUNTS_ALL);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    LeaseKey key = request.key();
    boolean wasLate = !late.add(key);
    CompletableFuture<Object> sent = send(Operation.ACQUIRE, key.name(), scripts.acquire(request));
    sent.whenComplete(
        (reply, failure) -> {
          if (!wasLate && (failure == null || isRefusal(failure))) {
            late.remove(key);
          }
        });
    return sent.thenApply(reply -> scripts.acquired(request, reply));
  }

  private static boolean isRefusal(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof LockStoreException typed
        && typed.kind() == LockStoreException.Kind.REFUSED;
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    String name = batch.get(0).key().name();
    CompletableFuture<Object> sent =
        send(Operation.RENEW, name, FencedScripts.renew(batch, LockKeys::lock));
    return java.util.stream.IntStream.range(0, batch.size())
        .<CompletionStage<RenewResult>>mapToObj(
            i ->
                sent.thenApply(
                    reply -> Replies.renew(((List<?>) reply).get(i), LockKind.LOCK, name)))
        .toList();
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return ending(Operation.RELEASE, lease, scripts.release(lease, how(lease)))
        .thenApply(reply -> Replies.release((Long) reply));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return ending(
            Operation.KEEP, lease, FencedScripts.keep(LockKeys.lock(lease.name()), lease, rest))
        .thenApply(reply -> Replies.keep((Long) reply));
  }

  /** Marks the token first if its acquisition may still arrive. */
  private CompletableFuture<Object> ending(
      Operation operation, LeaseKey lease, ScriptRequest request) {
    if (!late.contains(lease)) {
      return send(operation, lease.name(), request);
    }
    return send(operation, lease.name(), FencedScripts.gone(lease, KeySpace.WHOLE))
        .thenCompose(
            done -> {
              late.remove(lease);
              return send(operation, lease.name(), request);
            });
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return send(Operation.LEAVE, waiter.name(), scripts.leave(waiter, how(waiter)));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return connection.subscribe(channel, waiter.name(), wakeUp).thenApply(stop -> stop::run);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return send(Operation.INSPECT, name, scripts.inspect(name))
        .thenApply(reply -> Replies.inspect((List<?>) reply));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return FencedGuarantees.ofLocks();
  }

  @Override
  public void close() {}
}
