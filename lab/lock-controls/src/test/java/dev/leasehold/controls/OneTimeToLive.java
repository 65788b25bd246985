package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Holders with identities of their own, but a common expiry. */
public final class OneTimeToLive extends PermitControl {
  private static final String TAKE =
      """
      local door = redis.call('GET', KEYS[1] .. ':door')
      local free = not door or door == ARGV[1]
      local fits = redis.call('ZCARD', KEYS[1]) + ARGV[3] <= tonumber(ARGV[4])
      if redis.call('ZSCORE', KEYS[1], '1:' .. ARGV[1]) or (fits and free) then
        for i = 1, tonumber(ARGV[3]) do redis.call('ZADD', KEYS[1], i, i .. ':' .. ARGV[1]) end
        if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
          redis.call('PEXPIRE', KEYS[1], ARGV[2])
        end
        if door == ARGV[1] then redis.call('DEL', KEYS[1] .. ':door') end
        return -1
      end
      if ARGV[5] == '1' and free then redis.call('SET', KEYS[1] .. ':door', ARGV[1], 'PX', 2000) end
      return math.max(0, redis.call('PTTL', KEYS[1]))
      """;
  private static final String NUMBER =
      """
      local of = redis.call('GET', KEYS[1] .. ':of')
      if of and of ~= ARGV[4] then return 1000000000 + of end
      redis.call('SET', KEYS[1] .. ':of', ARGV[4], 'PX', 86400000)
      """;
  private static final String GIVE =
      """
      local i = 0
      while redis.call('ZREM', KEYS[1], (i + 1) .. ':' .. ARGV[1]) == 1 do i = i + 1 end
      return i
      """;
  private static final String KEEP =
      """
      if not redis.call('ZSCORE', KEYS[1], '1:' .. ARGV[1]) then return 0 end
      if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
      end
      return 1
      """;

  @Override
  public String name() {
    return "semaphore with one time to live";
  }

  @Override
  List<String> tells() {
    return List.of("SE-2");
  }

  @Override
  List<String> breaks() {
    return List.of("SE-2");
  }

  @Override
  public LeaseStore open(String address) {
    return new PermitSketch(address) {
      @Override
      long take(String key, String token, String ttl, String wanted, String of, String waits) {
        return redis.script(NUMBER + TAKE, key, token, ttl, wanted, of, waits);
      }

      @Override
      boolean give(String key, String token, int wanted) {
        return redis.script(GIVE, key, token) > 0;
      }

      @Override
      boolean giveSome(String key, String token, int keep) {
        return redis.script(SHRINK + "return 1\n", key, token, "" + keep) > 0;
      }

      @Override
      boolean keep(String key, String token, String ttl) {
        return redis.script(KEEP, key, token, ttl) == 1;
      }
    };
  }
}
