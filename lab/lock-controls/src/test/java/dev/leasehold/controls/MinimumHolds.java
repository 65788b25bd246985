package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.StoreContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Locks that are kept for a while after their release. */
final class MinimumHolds {
  private static final String SHORTEN =
      """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return 1
      """;

  private MinimumHolds() {}

  /** A {@link SoundStore} that keeps locks. It has no flaw; the controls add one. */
  private static class KeepingStore extends SoundStore implements MinimumHold {
    private static final String KEEP =
        """
        local v = redis.call('GET', KEYS[1])
        if v == '-' .. ARGV[1] then return 1 end
        if v ~= ARGV[1] then return 0 end
        local rest = math.max(1, math.min(tonumber(ARGV[2]), redis.call('PTTL', KEYS[1])))
        redis.call('SET', KEYS[1], '-' .. ARGV[1], 'PX', rest)
        return 1
        """;

    KeepingStore(String address) {
      super(address, Guarantee.MINIMUM_HOLD);
    }

    /** Releases the lock but keeps it taken for that many milliseconds, if the token holds it. */
    boolean keep(String key, String token, long rest) {
      return redis.script(KEEP, key, token, Long.toString(rest)) == 1;
    }

    @Override
    public final CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
      return run(
          () ->
              keep(lease.name(), lease.token(), rest.toMillis())
                  ? ReleaseResult.KEPT
                  : ReleaseResult.NOT_OWNER);
    }
  }

  static List<Control> all() {
    return List.of(
        // The client itself releases when the minimum is over, so it must stay alive until then.
        new Control(
            "minimum hold kept by a sleeping client",
            breaks("AT-2", "AT-3", "AT-4").toldBy("AT-2", "AT-4"),
            address ->
                new KeepingStore(address) {
                  @Override
                  boolean keep(String key, String token, long rest) {
                    StoreContext context = context();
                    context
                        .scheduler()
                        .schedule(
                            Duration.ofMillis(rest),
                            () -> context.blockingExecutor().execute(() -> free(key, token)));
                    return refusal(key, token).isEmpty();
                  }
                }),
        // The release shortens the TTL and keeps the token as the value.
        new Control(
            "minimum hold with the token kept",
            breaks("AT-2", "AT-3").toldBy("AT-2"),
            address ->
                new KeepingStore(address) {
                  @Override
                  boolean keep(String key, String token, long rest) {
                    return redis.script(SHORTEN, key, token, Long.toString(rest)) == 1;
                  }
                }),
        // The minimum counts from the request instead of the grant.
        new Control(
            "minimum hold counted from the request",
            breaks("AT-1"),
            address ->
                new KeepingStore(address) {
                  private final Map<String, Long> took = new ConcurrentHashMap<>();

                  @Override
                  Optional<Duration> take(String key, String token, long ttl) {
                    long before = System.nanoTime();
                    Optional<Duration> refusal = super.take(key, token, ttl);
                    took.put(token, Duration.ofNanos(System.nanoTime() - before).toMillis());
                    return refusal;
                  }

                  @Override
                  boolean keep(String key, String token, long rest) {
                    return super.keep(key, token, Math.max(1, rest - took.getOrDefault(token, 0L)));
                  }
                }),
        // The release writes the rest without checking the holder.
        new Control(
            "minimum hold set without comparing",
            breaks("AT-2"),
            address ->
                new KeepingStore(address) {
                  @Override
                  boolean keep(String key, String token, long rest) {
                    return redis
                        .text("SET", key, "-" + token, "PX", Long.toString(rest))
                        .isPresent();
                  }
                }));
  }
}
