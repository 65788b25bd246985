package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;
import java.util.UUID;

/** Each waiter listens on its own list, and a release pushes to all of them. */
public final class WakesAll extends PermitControl {
  @Override
  public String name() {
    return "semaphore that wakes all waiters";
  }

  @Override
  List<String> tells() {
    return List.of("SE-6");
  }

  @Override
  List<String> breaks() {
    return List.of("SE-6");
  }

  @Override
  public LeaseStore open(String address) {
    return new RingingPermits(address, Guarantee.PERMITS, Guarantee.WAKE_UP, Guarantee.WAKE_ONE) {
      @Override
      String bell(String key) {
        String bell = key + ":bell:" + UUID.randomUUID();
        redis.number("SADD", key + ":bells", bell);
        return bell;
      }

      @Override
      String given() {
        return """
        if i > 0 then
          for _, bell in ipairs(redis.call('SMEMBERS', KEYS[1] .. ':bells')) do
            redis.call('RPUSH', bell, 'ring')
            redis.call('PEXPIRE', bell, 60000)
          end
        end
        """;
      }
    };
  }
}
