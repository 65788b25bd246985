package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A counter that is incremented and decremented, with a TTL. */
public final class CountWithoutOwners extends PermitControl {
  private static final String TAKE =
      """
      local held = tonumber(redis.call('GET', KEYS[1]) or 0)
      if held + ARGV[3] > tonumber(ARGV[4]) then return redis.call('PTTL', KEYS[1]) end
      redis.call('INCRBY', KEYS[1], ARGV[3])
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return -1
      """;
  private static final String GIVE =
      """
      if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
      redis.call('DECRBY', KEYS[1], ARGV[1])
      return 1
      """;

  @Override
  public String name() {
    return "semaphore that is a count without owners";
  }

  @Override
  List<String> tells() {
    return List.of("SE-2", "SE-3");
  }

  @Override
  List<String> breaks() {
    return List.of("SE-1", "SE-2", "SE-3", "SE-4", "SE-5");
  }

  @Override
  public LeaseStore open(String address) {
    return new PermitSketch(address) {
      @Override
      long take(String key, String token, String ttl, String wanted, String of, String waits) {
        return redis.script(TAKE, key, token, ttl, wanted, of);
      }

      @Override
      boolean give(String key, String token, int wanted) {
        return redis.script(GIVE, key, "" + wanted) == 1;
      }

      @Override
      boolean keep(String key, String token, String ttl) {
        return redis.number("PEXPIRE", key, ttl) == 1;
      }
    };
  }
}
