package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plain mode: the name is the key, the token its value, and nothing else is written. This is
 * compatible with Redlock clients in other languages. Thread-safe.
 *
 * <p>Acquire is a script of {@code SET NX PX} that on refusal also returns the key's remaining
 * time. Release and renewal are the server's native compare-and-delete and compare-and-set, or
 * scripts if it has none.
 */
class PlainStore implements MinimumHold {
  private static final byte[] PX = {'P', 'X'};

  /** By then every network has delivered or dropped a packet. */
  private static final Duration LATEST = Duration.ofHours(1);

  /** Each is a timer and a dozen commands in an hour. */
  private static final int MOST_REPEATED = 1000;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final LettuceRedis redis;
  private final StoreOptions options;
  private final CompareAndDeleteSupport nativeDeletes;
  private final LongestTtls longestTtls = new LongestTtls(Ticker.system());
  private final UnansweredAcquisitions late = new UnansweredAcquisitions();
  private volatile boolean closed;

  /** How many tokens' releases are being repeated. */
  private final AtomicInteger repeated = new AtomicInteger();

  /** A store that owns its {@link LettuceRedis}. */
  PlainStore(LettuceRedis redis, StoreOptions options) {
    this.redis = redis;
    this.options = options;
    this.nativeDeletes = new CompareAndDeleteSupport(redis);
  }

  @Override
  public void start(StoreContext context) {
    options.start(redis, context);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return acquire(request, redis, script(request));
  }

  final ScriptRequest script(AcquireRequest request) {
    return new ScriptRequest(
        Script.PLAIN_ACQUIRE,
        new byte[][] {options.keys().plain(request.key().name())},
        new byte[][] {ascii(request.key().token()), ascii(request.ttl().toMillis())});
  }

  final CompletionStage<AcquireResult> acquire(
      AcquireRequest request, Sender to, ScriptRequest script) {
    LeaseKey lease = request.key();
    byte[] key = options.keys().plain(lease.name());
    nativeDeletes.of(key); // starts detection, if needed, so that a release knows
    longestTtls.asked(lease.token(), request.ttl());
    LettuceScriptCall<Long, AcquireResult> call =
        new LettuceScriptCall<>(
            to,
            "acquire",
            lease.name(),
            script,
            () -> new IntegerOutput<>(ByteArrayCodec.INSTANCE),
            reply -> {
              AcquireResult result = Replies.plainAcquire(reply, request.ttl());
              if (!(result instanceof Granted)) {
                longestTtls.forget(lease.token());
              }
              return result;
            });
    call.ifUnanswered(by -> late.add(lease, by));
    return call.send(options, result -> result instanceof Granted, () -> freed(lease));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    List<RenewRequest> byScript = new ArrayList<>();
    List<CompletionStage<RenewResult>> natively = new ArrayList<>();
    boolean[] isNative = new boolean[batch.size()];
    for (int i = 0; i < isNative.length; i++) {
      RenewRequest request = batch.get(i);
      byte[] key = options.keys().plain(request.key().name());
      isNative[i] =
          nativeDeletes.of(key) != CompareAndDelete.NONE
              && longestTtls.isLongest(request.key().token(), request.ttl());
      longestTtls.asked(request.key().token(), request.ttl());
      if (isNative[i]) {
        natively.add(renewNatively(request, key));
      } else {
        byScript.add(request);
      }
    }
    List<CompletionStage<RenewResult>> scripted = renewByScript(byScript);
    List<CompletionStage<RenewResult>> results = new ArrayList<>(batch.size());
    int natives = 0;
    for (int i = 0; i < isNative.length; i++) {
      results.add(isNative[i] ? natively.get(natives++) : scripted.get(i - natives));
    }
    return results;
  }

  private List<CompletionStage<RenewResult>> renewByScript(List<RenewRequest> batch) {
    return RenewalBatches.renew(
        redis, batch, part -> FencedScripts.renew(part, options.keys()::plain), options);
  }

  private CompletionStage<RenewResult> renewNatively(RenewRequest request, byte[] key) {
    byte[] token = ascii(request.key().token());
    CallWithFallback<String, RenewResult> call =
        new CallWithFallback<>(
            redis,
            "renew",
            request.key().name(),
            CommandType.SET,
            new StatusOutput<>(ByteArrayCodec.INSTANCE),
            Call.args()
                .addKey(key)
                .add(token)
                .add(CompareAndDelete.IFEQ)
                .add(token)
                .add(PX)
                .add(request.ttl().toMillis()),
            ok -> ok == null ? RenewResult.NOT_OWNER : RenewResult.RENEWED,
            () -> {
              nativeDeletes.lacks(key);
              return renewByScript(List.of(request)).get(0).toCompletableFuture();
            });
    return call.send(options, result -> true);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return ending(lease, freed(lease));
  }

  /**
   * As {@link LettuceKindView#ending}. But in plain mode there is no second key to mark a released
   * token, so the release is repeated instead, with pauses that double: a late acquisition is
   * undone after as long as it was late, or a second. For {@value #MOST_REPEATED} tokens at a time;
   * others end by their lease.
   */
  private CompletionStage<ReleaseResult> ending(
      LeaseKey lease, CompletionStage<ReleaseResult> released) {
    if (!late.knowsNone(List.of(lease))) {
      released.thenRun(
          () -> {
            if (late.mayCome(lease)) {
              if (repeated.incrementAndGet() <= MOST_REPEATED) {
                freedAgain(lease, FIRST_PAUSE);
              } else {
                repeated.decrementAndGet();
              }
            }
            late.settled(lease);
          });
    }
    return released;
  }

  private void freedAgain(LeaseKey lease, Duration pause) {
    if (pause.compareTo(LATEST) >= 0 || closed) {
      repeated.decrementAndGet();
      return;
    }
    try {
      redis.later(
          pause,
          () ->
              freed(lease)
                  .whenComplete((done, failure) -> freedAgain(lease, pause.multipliedBy(2))));
    } catch (RejectedExecutionException ended) {
      repeated.decrementAndGet(); // closed meanwhile
    }
  }

  private CompletionStage<ReleaseResult> freed(LeaseKey lease) {
    longestTtls.forget(lease.token());
    byte[] key = options.keys().plain(lease.name());
    byte[] token = ascii(lease.token());
    CompareAndDelete how = nativeDeletes.of(key);
    return how == CompareAndDelete.NONE
        ? releaseByScript(lease, key, token)
        : new CallWithFallback<>(
                redis,
                "release",
                lease.name(),
                how.command(),
                new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                how.deleteIf(key, token),
                Replies::release,
                () -> {
                  nativeDeletes.lacks(key);
                  return releaseByScript(lease, key, token);
                })
            .send();
  }

  /** Always a script: the server's native compare-and-set can't read the remaining time. */
  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    longestTtls.forget(lease.token());
    return ending(
        lease, RedisSetStore.keep(redis, lease, options.keys().plain(lease.name()), rest));
  }

  private CompletableFuture<ReleaseResult> releaseByScript(
      LeaseKey lease, byte[] key, byte[] token) {
    return new LettuceScriptCall<Long, ReleaseResult>(
            redis,
            "release",
            lease.name(),
            new ScriptRequest(Script.PLAIN_RELEASE, new byte[][] {key}, new byte[][] {token}),
            () -> new IntegerOutput<>(ByteArrayCodec.INSTANCE),
            Replies::release)
        .send();
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return new LettuceScriptCall<List<Object>, Optional<StoredLease>>(
            redis,
            "inspect",
            name,
            new ScriptRequest(
                Script.PLAIN_INSPECT, new byte[][] {options.keys().plain(name)}, new byte[0][]),
            () -> new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
            Replies::inspect)
        .send();
  }

  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.MINIMUM_HOLD);
  }

  @Override
  public void close() {
    closed = true;
    redis.close();
  }

  private static byte[] ascii(long number) {
    return ascii(Long.toString(number));
  }

  private static byte[] ascii(String token) {
    return token.getBytes(US_ASCII);
  }
}
