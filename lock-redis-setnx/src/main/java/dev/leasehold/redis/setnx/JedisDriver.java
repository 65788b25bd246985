package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.BlockingCalls;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.WouldBlockException;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LateAcquisitions;
import dev.leasehold.redis.common.RedisDriver;
import dev.leasehold.redis.common.ScriptCall;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.WakeChannel;
import dev.leasehold.redis.setnx.Attempts.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;

/**
 * A store's scripts on Jedis, each over one of several connections. Acquisitions and releases may
 * run on the thread of a lock operation's caller. Thread-safe.
 */
class JedisDriver implements RedisDriver {
  private static final byte[] ANY_NODE = {};

  final JedisRedis redis;
  final LateAcquisitions late = new LateAcquisitions();
  private final WakeListener listener;
  private final Eviction eviction;
  final KeySpace keys;
  private @Nullable BlockingCalls calls;

  /** Owns the {@link JedisRedis}. */
  JedisDriver(JedisRedis redis, String storeId, Eviction eviction, KeySpace keys) {
    this.redis = redis;
    this.listener = new WakeListener(redis, storeId, keys);
    this.eviction = eviction;
    this.keys = keys;
  }

  @Override
  public void start(StoreContext context) {
    calls = new BlockingCalls(context, () -> CallersConversation.on(redis.background));
    redis.start(context);
    eviction.check(redis::memory);
  }

  final BlockingCalls calls() {
    return Objects.requireNonNull(calls, "not started");
  }

  @Override
  public final WakeChannel channel() {
    return listener;
  }

  @Override
  public final boolean takesManyKeys() {
    return redis.takesManyKeys();
  }

  @Override
  public final boolean takesTogether(List<byte[]> keys) {
    return redis.mayTakeTogether(keys);
  }

  @Override
  public final CompletionStage<List<?>> commandInfo(
      String lockName, byte[] key, List<byte[]> arguments) {
    Command question = Command.of(Protocol.Command.COMMAND, arguments.toArray(byte[][]::new));
    return calls()
        .run(
            () ->
                redis.talk(
                    "ask the server of",
                    lockName,
                    key,
                    conversation ->
                        conversation.call(question) instanceof List<?> found ? found : List.of()));
  }

  @Override
  public final <R> CompletionStage<R> send(ScriptCall<R> call) {
    return calls().run(() -> sendNow(call));
  }

  @Override
  public <R> CompletionStage<R> acquire(
      ScriptCall<R> call,
      List<LeaseKey> leases,
      Duration ttl,
      Supplier<? extends CompletionStage<?>> undo) {
    return calls().inTurn(leases, () -> acquireNow(call, leases));
  }

  private <R> R acquireNow(ScriptCall<R> call, List<LeaseKey> leases) {
    AtomicBoolean mayCome = new AtomicBoolean();
    leases.forEach(late::begin);
    try {
      Object reply = talk(call, () -> mayCome.set(true));
      mayCome.set(false);
      return call.meaning().apply(reply);
    } catch (WouldBlockException elsewhere) { // nothing was done, and it will be called again
      mayCome.set(false);
      throw elsewhere;
    } catch (LockStoreException failure) {
      if (Outcome.of(failure) == Outcome.KNOWN) {
        mayCome.set(false);
      }
      throw failure;
    } finally {
      if (!mayCome.get()) {
        leases.forEach(late::end);
      }
    }
  }

  @Override
  public final <R> CompletionStage<R> release(List<LeaseKey> leases, Supplier<ScriptCall<R>> call) {
    return calls()
        .inTurn(
            leases,
            () -> {
              ScriptCall<R> release = call.get();
              for (LeaseKey lease : late.of(leases)) {
                sendNow(ScriptCall.gone(lease, keys, release.script().kind()));
                late.settled(lease);
              }
              return sendNow(release);
            });
  }

  final <R> R sendNow(ScriptCall<R> call) {
    return call.meaning().apply(talk(call, () -> {}));
  }

  private Object talk(ScriptCall<?> call, Runnable sending) {
    ScriptRequest script = call.script();
    return redis.talk(
        call.operation(),
        script.kind(),
        call.name(),
        script.keys().length == 0 ? ANY_NODE : script.keys()[0],
        conversation -> {
          sending.run();
          return conversation.script(script);
        });
  }

  @Override
  public void close() {
    listener.close();
    redis.close();
  }
}
