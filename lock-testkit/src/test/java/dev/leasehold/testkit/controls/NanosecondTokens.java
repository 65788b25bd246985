package dev.leasehold.testkit.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Fencing tokens that are right in 64 bits, and not where numbers are doubles. */
public final class NanosecondTokens extends Control {
  private static final long NANOS_PER_MICRO = 1000;

  /**
   * Counts in microseconds: what is more, Lua would round. By two, since beyond 2^53 one is none.
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

  @Override
  public String name() {
    return "tokens of nanoseconds";
  }

  @Override
  List<String> tells() {
    return List.of("FE-4");
  }

  @Override
  List<String> breaks() {
    return List.of("FE-4");
  }

  @Override
  public LeaseStore open(String address) {
    Set<Guarantee> believed = EnumSet.copyOf(OWNED_WITH_TTL);
    believed.add(Guarantee.FENCING);
    return new Store(address, believed);
  }

  private static final class Store extends SoundStore {
    private final Map<String, Long> fences = new ConcurrentHashMap<>();

    Store(String address, Set<Guarantee> believed) {
      super(address, believed);
    }

    @Override
    Optional<Duration> take(String key, String token, long ttl) {
      long reply = redis.script(TAKE, key, token, Long.toString(ttl));
      if (reply < 0) {
        return Optional.of(Duration.ofMillis(-1 - reply));
      }
      fences.put(token, reply * NANOS_PER_MICRO);
      return Optional.empty();
    }

    @Override
    OptionalLong fence(String token) {
      Long fence = fences.remove(token);
      return fence == null ? OptionalLong.empty() : OptionalLong.of(fence);
    }
  }
}
