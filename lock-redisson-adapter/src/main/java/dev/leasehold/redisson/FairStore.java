package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.Replies;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Shares locks with {@code RFairLock}: our waiters and Redisson's stand in one queue. Ours send
 * several requests before their place expires. Thread-safe.
 */
final class FairStore extends RLockStore {
  private static final int ASKS_IN_TIME = 3;

  private final Duration timeout;

  /** A store that owns its {@link Client}. */
  FairStore(Client client, Eviction eviction, Duration timeout) {
    super(client, eviction);
    this.timeout = timeout;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    Keys keys = keys(request.key().name());
    boolean waits = request.ifHeld() == IfHeld.ENQUEUE;
    return acquire(
        call(
            RedissonScript.FAIR_ACQUIRE,
            "acquire",
            keys.name(),
            List.of(keys.lock(), keys.fence(), keys.line(), keys.places(), keys.channel()),
            request.key().token(),
            millis(request.ttl()),
            waits ? "1" : "0",
            millis(timeout),
            millis(client.plainFairTimeout()),
            unlocks.publishCommand()),
        request.key(),
        reply -> {
          AcquireResult result = Replies.acquire(reply, request.ttl());
          return waits ? sooner(result) : result;
        });
  }

  /**
   * Shortens the pause so that it asks again before its place expires, whatever the lock's options.
   */
  private AcquireResult sooner(AcquireResult result) {
    Duration most = timeout.dividedBy(ASKS_IN_TIME);
    return result instanceof Held held && held.retryAfter().compareTo(most) > 0
        ? new Held(most, held.resolution())
        : result;
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    watched.released(lease);
    return ending(inLine(RedissonScript.FAIR_RELEASE, "release", lease), lease, Replies::release);
  }

  /** Fair locks are not handed over, so there are no numbers to give back. */
  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return release(lease);
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return scripts.number(inLine(RedissonScript.FAIR_LEAVE, "leave", waiter), reply -> reply);
  }

  private RedissonScriptCall inLine(RedissonScript script, String operation, LeaseKey key) {
    Keys keys = keys(key.name());
    return call(
        script,
        operation,
        key.name(),
        List.of(keys.lock(), keys.channel(), keys.line(), keys.places()),
        key.token(),
        unlocks.publishCommand());
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return unlocks.watchOwn(keys(waiter.name()), waiter.token(), wakeUp);
  }

  /**
   * Without CLOCK_INDEPENDENT: Redisson's waiters check by their own clocks whose place has
   * expired.
   */
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
}
