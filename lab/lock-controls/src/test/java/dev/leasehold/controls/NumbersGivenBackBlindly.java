package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Numbers are reserved for hand-overs, and the unused ones are taken back without a check. Counts
 * as {@link FencedSketch} does.
 */
public final class NumbersGivenBackBlindly extends Control {
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

  /** The missing check: that the token holds the lock and no number was issued since. */
  private static final String GIVE_BACK =
      """
      redis.call('SET', 'fence:' .. KEYS[1], ARGV[2], 'PX', 86400000)
      """;

  @Override
  public String name() {
    return "numbers given back blindly";
  }

  @Override
  boolean concerns(String ruleId) {
    return ruleId.startsWith("FE-");
  }

  @Override
  List<String> tells() {
    return List.of("FE-1");
  }

  @Override
  List<String> breaks() {
    return List.of("FE-1");
  }

  @Override
  List<String> spares() {
    return List.of("FE-4", "LE-3", "IN-1");
  }

  @Override
  public LeaseStore open(String address) {
    Set<Guarantee> believed = EnumSet.copyOf(OWNED_WITH_TTL);
    believed.add(Guarantee.FENCING);
    return new Store(address, believed);
  }

  private static final class Store extends SoundStore {
    Store(String address, Set<Guarantee> believed) {
      super(address, believed);
    }

    @Override
    protected AcquireResult acquireNow(AcquireRequest request) {
      List<?> reply =
          (List<?>)
              redis
                  .call(
                      "EVAL",
                      TAKE,
                      "1",
                      request.key().name(),
                      request.key().token(),
                      Long.toString(request.ttl().toMillis()),
                      Integer.toString(request.handOvers()))
                  .orElseThrow();
      long number = (Long) reply.get(0);
      return number < 0
          ? new Held(Duration.ofMillis(-1 - number))
          : new Granted(OptionalLong.of(number), ((Long) reply.get(1)).intValue(), request.ttl());
    }

    @Override
    protected ReleaseResult releaseNow(LeaseKey lease, FenceRun run) {
      long freed =
          redis.script(GIVE_BACK + FREE, lease.name(), lease.token(), Long.toString(run.used()));
      return freed == 1 ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER;
    }
  }
}
