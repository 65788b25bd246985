package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Sound, but free permits go to any request that fits, past waiters for more. */
public final class AnyRequestThatFits extends PermitControl {
  @Override
  public String name() {
    return "semaphore for any request that fits";
  }

  @Override
  List<String> tells() {
    return List.of("SE-5");
  }

  @Override
  List<String> breaks() {
    return List.of("SE-5");
  }

  @Override
  public LeaseStore open(String address) {
    return new PermitSketch(address) {
      @Override
      long take(String key, String token, String ttl, String wanted, String of, String waits) {
        return super.take(key, token, ttl, wanted, of, "0");
      }
    };
  }
}
