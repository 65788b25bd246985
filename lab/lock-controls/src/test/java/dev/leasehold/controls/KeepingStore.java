package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A {@link SoundStore} that can keep a lock after its release. It has no flaw; the controls add
 * one.
 */
class KeepingStore extends SoundStore implements MinimumHold {
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
    super(address, believed());
  }

  private static Set<Guarantee> believed() {
    EnumSet<Guarantee> all = EnumSet.copyOf(Control.OWNED_WITH_TTL);
    all.add(Guarantee.MINIMUM_HOLD);
    return all;
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
