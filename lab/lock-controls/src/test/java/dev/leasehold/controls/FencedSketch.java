package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A sound lock with fencing tokens from the server's clock. */
final class FencedSketch extends SoundStore {
  /**
   * Counts microseconds: Lua would round larger numbers. Increments by two, since beyond 2^53 an
   * increment by one is lost.
   */
  private static final String TAKE =
      """
      local held = redis.call('GET', KEYS[1])
      local fence = 'fence:' .. KEYS[1]
      if held == ARGV[1] then
        if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
          redis.call('PEXPIRE', KEYS[1], ARGV[2])
        end
        return tonumber(redis.call('GET', fence) or 0)
      end
      if held then return -1 - math.max(0, redis.call('PTTL', KEYS[1])) end
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      local t = redis.call('TIME')
      local v = math.max(tonumber(redis.call('GET', fence) or 0) + 2, t[1] * 1000000 + t[2])
      redis.call('SET', fence, string.format('%.0f', v), 'PX', 86400000)
      return v
      """;

  private final Map<String, Long> fences = new ConcurrentHashMap<>();
  private final long unit;

  /**
   * A store on this server.
   *
   * @param unit what a token is multiplied by
   */
  FencedSketch(String address, Set<Guarantee> believed, long unit) {
    super(address, believed);
    this.unit = unit;
  }

  @Override
  Optional<Duration> take(String key, String token, long ttl) {
    long reply = redis.script(TAKE, key, token, Long.toString(ttl));
    if (reply < 0) {
      return Optional.of(Duration.ofMillis(-1 - reply));
    }
    fences.put(token, reply * unit);
    return Optional.empty();
  }

  @Override
  OptionalLong fence(String token) {
    Long fence = fences.remove(token);
    return fence == null ? OptionalLong.empty() : OptionalLong.of(fence);
  }
}
