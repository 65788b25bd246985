package dev.leasehold.redis.set;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
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
import dev.leasehold.redis.common.NativeCommand;
import dev.leasehold.redis.common.NativeDeletes;
import dev.leasehold.redis.common.RenewalBatches;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptCall;
import dev.leasehold.redis.common.ScriptRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

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
  private static final byte[] IFEQ = {'I', 'F', 'E', 'Q'};

  /** By then every network has delivered or dropped a packet. */
  private static final Duration LATEST = Duration.ofHours(1);

  /** Each is a timer and a dozen commands in an hour. */
  private static final int MOST_REPEATED = 1000;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final LettuceDriver driver;
  private final LettuceRedis redis;
  private final StoreOptions options;
  private final Script acquire;
  private final NativeDeletes natives;
  private final LongestTtls longestTtls = new LongestTtls(Ticker.system());
  private volatile boolean closed;

  /** How many tokens' releases are being repeated. */
  private final AtomicInteger repeated = new AtomicInteger();

  /** A store that owns its {@link LettuceDriver}. */
  PlainStore(LettuceDriver driver) {
    this(driver, Script.PLAIN_ACQUIRE);
  }

  /** With another script to acquire. */
  PlainStore(LettuceDriver driver, Script acquire) {
    this.driver = driver;
    this.redis = driver.redis;
    this.options = driver.options;
    this.acquire = acquire;
    this.natives = new NativeDeletes(driver);
  }

  @Override
  public final void start(StoreContext context) {
    driver.start(context);
    natives.start(context.ticker());
  }

  private ScriptRequest script(Script script, String name, byte[]... arguments) {
    return new ScriptRequest(script, new byte[][] {options.keys().plain(name)}, arguments);
  }

  @Override
  public final CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    LeaseKey lease = request.key();
    ScriptRequest script =
        script(acquire, lease.name(), ascii(lease.token()), ascii(request.ttl().toMillis()));
    natives.ask(lease.name(), script.keys()[0]);
    longestTtls.asked(lease.token(), request.ttl());
    return driver.acquire(
        new ScriptCall<>(
            "acquire",
            lease.name(),
            script,
            reply -> {
              AcquireResult result = Replies.withoutFence((Long) reply, request.ttl());
              if (!(result instanceof Granted)) {
                longestTtls.forget(lease.token());
              }
              return result;
            },
            Granted.class::isInstance),
        List.of(lease),
        request.ttl(),
        () -> freed(lease));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    List<RenewRequest> byScript = new ArrayList<>();
    List<@Nullable CompletionStage<RenewResult>> results = new ArrayList<>();
    for (RenewRequest request : batch) {
      LeaseKey lease = request.key();
      boolean isNative =
          natives.known() != null && longestTtls.isLongest(lease.token(), request.ttl());
      longestTtls.asked(lease.token(), request.ttl());
      results.add(isNative ? renewNatively(request) : null);
      if (!isNative) {
        byScript.add(request);
      }
    }
    Iterator<CompletionStage<RenewResult>> scripted =
        RenewalBatches.renew(
                driver, byScript, part -> FencedScripts.renew(part, options.keys()::plain))
            .iterator();
    return results.stream().map(found -> found == null ? scripted.next() : found).toList();
  }

  private CompletionStage<RenewResult> renewNatively(RenewRequest request) {
    LeaseKey lease = request.key();
    ScriptRequest script = FencedScripts.renew(List.of(request), options.keys()::plain);
    byte[] token = ascii(lease.token());
    List<byte[]> words =
        List.of(script.keys()[0], token, IFEQ, token, PX, ascii(request.ttl().toMillis()));
    return driver.send(
        new ScriptCall<>(
            "renew",
            lease.name(),
            script.after(new NativeCommand("SET", words, reply -> true, natives)),
            reply -> {
              if (reply instanceof List<?> scripted) { // the command failed, and the script replied
                return Replies.renew(scripted.get(0), LockKind.LOCK, lease.name());
              }
              return reply == null ? RenewResult.NOT_OWNER : RenewResult.RENEWED;
            },
            result -> true));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return ending(lease, freed(lease));
  }

  /**
   * As {@link LettuceDriver#release}. But in plain mode there is no second key to mark a released
   * token, so the release is repeated instead, with pauses that double: a late acquisition is
   * undone after as long as it was late, or a second. For {@value #MOST_REPEATED} tokens at a time;
   * others end by their lease.
   */
  private CompletionStage<ReleaseResult> ending(
      LeaseKey lease, CompletionStage<ReleaseResult> released) {
    UnansweredAcquisitions late = driver.late;
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
    ScriptRequest script = script(Script.PLAIN_RELEASE, lease.name(), ascii(lease.token()));
    return driver.send(ScriptCall.release(lease, natives.before(script)));
  }

  /** Always a script: the server's native compare-and-set can't read the remaining time. */
  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    longestTtls.forget(lease.token());
    byte[] key = options.keys().plain(lease.name());
    return ending(lease, driver.send(ScriptCall.keep(lease, FencedScripts.keep(key, lease, rest))));
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    ScriptRequest script = script(Script.PLAIN_INSPECT, name);
    return driver.send(
        new ScriptCall<>("inspect", name, script, reply -> Replies.inspect((List<?>) reply)));
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
    driver.close();
  }
}
