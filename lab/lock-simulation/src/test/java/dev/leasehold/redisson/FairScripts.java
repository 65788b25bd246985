package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.set.RawConnection;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** {@link FairStore} without Redisson: the production scripts with the same arguments. */
public final class FairScripts implements MinimumHold {
  private static final Duration TIMEOUT = Duration.ofSeconds(4);
  private static final String PLAIN_TIMEOUT = "300000";

  private final RawConnection connection;

  /** On a connection. */
  public FairScripts(RawConnection connection) {
    this.connection = connection;
  }

  private CompletableFuture<Object> send(
      Operation operation,
      String name,
      RedissonScript script,
      List<String> keys,
      String... arguments) {
    return connection.send(operation, name, AdapterScripts.eval(script, keys, List.of(arguments)));
  }

  private static Keys keys(String name) {
    return new Keys(name, name);
  }

  private static String millis(Duration time) {
    return Long.toString(time.toMillis());
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    Keys keys = keys(request.key().name());
    boolean waits = request.ifHeld() == IfHeld.ENQUEUE;
    return send(
            Operation.ACQUIRE,
            keys.name(),
            RedissonScript.FAIR_ACQUIRE,
            List.of(keys.lock(), keys.fence(), keys.line(), keys.places(), keys.channel()),
            request.key().token(),
            millis(request.ttl()),
            waits ? "1" : "0",
            millis(TIMEOUT),
            PLAIN_TIMEOUT,
            "PUBLISH")
        .thenApply(reply -> sooner(Replies.acquire(reply, request.ttl()), waits));
  }

  private static AcquireResult sooner(AcquireResult result, boolean waits) {
    Duration most = TIMEOUT.dividedBy(3);
    return waits && result instanceof Held held && held.retryAfter().compareTo(most) > 0
        ? new Held(most, held.resolution())
        : result;
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream()
        .<CompletionStage<RenewResult>>map(
            request ->
                send(
                        Operation.RENEW,
                        request.key().name(),
                        RedissonScript.RENEW,
                        List.of(keys(request.key().name()).lock()),
                        request.key().token(),
                        millis(request.ttl()),
                        "0")
                    .thenApply(
                        reply ->
                            Replies.renew(
                                ((List<?>) reply).get(0), LockKind.LOCK, request.key().name())))
        .toList();
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return inLine(Operation.RELEASE, RedissonScript.FAIR_RELEASE, lease)
        .thenApply(reply -> Replies.release((Long) reply));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    List<String> lock = List.of(keys(lease.name()).lock());
    return send(
            Operation.KEEP, lease.name(), RedissonScript.KEEP, lock, lease.token(), millis(rest))
        .thenApply(reply -> Replies.keep((Long) reply));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return inLine(Operation.LEAVE, RedissonScript.FAIR_LEAVE, waiter);
  }

  private CompletableFuture<Object> inLine(
      Operation operation, RedissonScript script, LeaseKey key) {
    Keys keys = keys(key.name());
    return send(
        operation,
        key.name(),
        script,
        List.of(keys.lock(), keys.channel(), keys.line(), keys.places()),
        key.token(),
        "PUBLISH");
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    String channel = keys(waiter.name()).channel() + ":" + waiter.token();
    return connection.subscribe(channel, waiter.name(), wakeUp).thenApply(stop -> stop::run);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    List<String> both = List.of(keys(name).lock(), keys(name).fence());
    return send(Operation.INSPECT, name, RedissonScript.INSPECT, both)
        .thenApply(reply -> Replies.inspect((List<?>) reply));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.WAKE_UP,
        Guarantee.WAKE_ONE,
        Guarantee.FAIR,
        Guarantee.FENCING,
        Guarantee.MINIMUM_HOLD);
  }

  @Override
  public void close() {}
}
