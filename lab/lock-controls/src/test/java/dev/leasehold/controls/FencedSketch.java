package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** A sound lock with fencing tokens from the server's clock. */
class FencedSketch extends SoundStore {
  /**
   * Counts microseconds: Lua would round larger numbers. Increments by two, since beyond 2^53 an
   * increment by one is lost.
   */
  private static final String TAKE =
      """
      local held = redis.call('GET', KEYS[1])
      local fence = 'fence:' .. KEYS[1]
      local last = tonumber(redis.call('GET', fence) or 0)
      if held == ARGV[1] then
        if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
          redis.call('PEXPIRE', KEYS[1], ARGV[2])
        end
        return { last, 0 }
      end
      if held then return { -1 - math.max(0, redis.call('PTTL', KEYS[1])), 0 } end
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      local t = redis.call('TIME')
      local now = t[1] * 1000000 + t[2]
      local v = math.max(last + 2, now)
      local r = math.max(0, math.min(ARGV[3], now + 1000000 - v))
      redis.call('SET', fence, string.format('%.0f', v + r), 'PX', 86400000)
      return { v, r }
      """;

  private final long unit;

  /**
   * A store on this server.
   *
   * @param unit what a token is multiplied by
   */
  FencedSketch(String address, long unit, Guarantee... more) {
    super(address, with(more, Guarantee.FENCING));
    this.unit = unit;
  }

  /** How many numbers a grant reserves for hand-overs. */
  int reserves(AcquireRequest request) {
    return 0;
  }

  /** A lease with reserved numbers, of which this is the last one used, is being released. */
  void ended(String key, long lastUsed) {}

  @Override
  protected final AcquireResult acquireNow(AcquireRequest request) {
    List<?> reply =
        redis.listScript(
            TAKE,
            request.key().name(),
            request.key().token(),
            Long.toString(request.ttl().toMillis()),
            Integer.toString(reserves(request)));
    long number = (Long) reply.get(0);
    int reserved = ((Long) reply.get(1)).intValue();
    return number < 0
        ? new Held(Duration.ofMillis(-1 - number))
        : new Granted(OptionalLong.of(number * unit), reserved, request.ttl());
  }

  @Override
  protected final ReleaseResult releaseNow(LeaseKey lease, FenceRun run) {
    ended(lease.name(), run.used());
    return releaseNow(lease);
  }
}
