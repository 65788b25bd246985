package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Permits counted by one command and taken by the next. */
public final class CountThenTake extends PermitControl {
  @Override
  public String name() {
    return "semaphore that counts, then takes";
  }

  @Override
  List<String> tells() {
    return List.of("SE-1");
  }

  @Override
  List<String> breaks() {
    return List.of("SE-1");
  }

  @Override
  public LeaseStore open(String address) {
    return new PermitSketch(address) {
      @Override
      long take(String key, String token, String ttl, String wanted, String of, String waits) {
        return countThenTake(key, token, ttl, wanted, of, waits);
      }
    };
  }
}
