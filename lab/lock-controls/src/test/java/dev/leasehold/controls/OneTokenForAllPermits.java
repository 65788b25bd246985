package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;
import java.util.OptionalLong;

/** Sound, but all permits of a name draw their tokens from one counter. */
public final class OneTokenForAllPermits extends PermitControl {
  @Override
  public String name() {
    return "semaphore with one counter of tokens";
  }

  @Override
  List<String> tells() {
    return List.of("SE-8");
  }

  @Override
  List<String> breaks() {
    return List.of("SE-8");
  }

  @Override
  public LeaseStore open(String address) {
    return new PermitSketch(address) {
      @Override
      OptionalLong token(String key) {
        return OptionalLong.of(redis.script("return redis.call('INCR', KEYS[1] .. ':fence')", key));
      }
    };
  }
}
