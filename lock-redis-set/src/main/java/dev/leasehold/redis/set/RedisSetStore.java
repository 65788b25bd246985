package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Waiting;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.LockKeys;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The scheme with fences and wake-ups: one script for each operation. Thread-safe. */
final class RedisSetStore implements LeaseStore {
  private static final byte[] STAY_OUT = {'0'};
  private static final byte[] JOIN = {'1'};
  private static final byte[] LEAVE = {'2'};
  private static final byte[] KEEP_PLACE = {'3'};

  /** Above the longest pause between two questions of a waiter, each of which renews it. */
  private static final byte[] LINE_TTL = ascii(150_000);

  private final Redis redis;
  private final WakeChannel channel;
  private final String storeId;
  private final StoreOptions options;

  /** Tokens that may stand in the server's line, so that others need not be looked for there. */
  private final Set<String> inLine = ConcurrentHashMap.newKeySet();

  /**
   * A store that owns its {@link Redis}.
   *
   * @param storeId begins this store's waiters, and ends its channels; without a colon
   */
  RedisSetStore(Redis redis, WakeChannel channel, String storeId, StoreOptions options) {
    this.redis = redis;
    this.channel = channel;
    this.storeId = storeId;
    this.options = options;
  }

  @Override
  public void start(StoreContext context) {
    options.check(redis, context);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    String name = request.key().name();
    String token = request.key().token();
    LockKeys keys = LockKeys.of(name);
    byte[] ttl = ascii(request.ttl().toMillis());
    boolean waits = request.waiting() == Waiting.YES;
    boolean perhapsWaiter = waits ? !inLine.add(token) : inLine.contains(token);
    byte[][] arguments;
    if (!waits && !perhapsWaiter) {
      arguments = new byte[][] {ascii(token), ttl, STAY_OUT};
    } else {
      byte[] line = waits ? perhapsWaiter ? KEEP_PLACE : JOIN : LEAVE;
      arguments = new byte[][] {ascii(token), ttl, line, waiter(token), LINE_TTL};
    }
    ScriptCall<Long, AcquireResult> call =
        new ScriptCall<>(
            redis,
            "acquire",
            name,
            Script.ACQUIRE,
            new byte[][] {keys.lock(), keys.fence(), keys.waiters()},
            arguments,
            RedisSetStore::number,
            reply -> {
              AcquireResult result = Replies.acquire(reply, request.ttl());
              if (result instanceof Granted && (waits || perhapsWaiter)) {
                inLine.remove(token);
              }
              return result;
            });
    return options.asksReplicas()
        ? call.sendAcknowledged(
            new Acknowledgement<>(
                options.replicas(), r -> r instanceof Granted, () -> release(request.key())))
        : call.send();
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return Renewing.renew(redis, batch, LockKeys::lock, options);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    LockKeys keys = LockKeys.of(lease.name());
    return new ScriptCall<>(
            redis,
            "release",
            lease.name(),
            Script.RELEASE,
            new byte[][] {keys.lock(), keys.waiters()},
            publishing(ascii(lease.token()), lease.name()),
            RedisSetStore::number,
            Replies::release)
        .send();
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    inLine.remove(waiter.token());
    LockKeys keys = LockKeys.of(waiter.name());
    return new ScriptCall<>(
            redis,
            "leave",
            waiter.name(),
            Script.LEAVE,
            new byte[][] {keys.lock(), keys.waiters()},
            publishing(waiter(waiter.token()), waiter.name()),
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
    LockKeys keys = LockKeys.of(name);
    return new ScriptCall<List<Object>, Optional<StoredLease>>(
            redis,
            "inspect",
            name,
            Script.INSPECT,
            new byte[][] {keys.lock(), keys.fence()},
            new byte[0][],
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
        Guarantee.FENCING);
  }

  @Override
  public void close() {
    channel.close();
    redis.close();
  }

  private byte[][] publishing(byte[] who, String name) {
    return new byte[][] {
      who, channel.publish(), channel.prefix(name), channel.message(name), channel.counts()
    };
  }

  private byte[] waiter(String token) {
    return ascii(storeId + ':' + token);
  }

  private static CommandOutput<byte[], byte[], Long> number() {
    return new IntegerOutput<>(ByteArrayCodec.INSTANCE);
  }

  private static CommandOutput<byte[], byte[], List<Object>> list() {
    return new NestedMultiOutput<>(ByteArrayCodec.INSTANCE);
  }

  private static byte[] ascii(long number) {
    return ascii(Long.toString(number));
  }

  private static byte[] ascii(String token) {
    return token.getBytes(US_ASCII);
  }
}
