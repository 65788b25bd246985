package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Sound, with one list: a release pushes one element, however many permits it frees. */
public final class WakesOne extends PermitControl {
  @Override
  public String name() {
    return "semaphore that wakes one";
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
    return new RingingPermits(address, Guarantee.PERMITS, Guarantee.WAKE_UP) {
      @Override
      String bell(String key) {
        return key + ":bell";
      }

      @Override
      String given() {
        return """
        if i > 0 then
          redis.call('DEL', KEYS[1] .. ':bell')
          redis.call('RPUSH', KEYS[1] .. ':bell', 'ring')
          redis.call('PEXPIRE', KEYS[1] .. ':bell', 60000)
        end
        """;
      }
    };
  }
}
