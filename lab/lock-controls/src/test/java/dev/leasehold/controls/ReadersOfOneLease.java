package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Readers with identities of their own, but a common expiry. */
public final class ReadersOfOneLease extends ReadWriteControl {
  @Override
  public String name() {
    return "readers with one time to live";
  }

  @Override
  List<String> tells() {
    return List.of("RW-4");
  }

  @Override
  List<String> breaks() {
    return List.of("RW-4");
  }

  @Override
  public LeaseStore open(String address) {
    return new ReadWriteSketch(address) {
      @Override
      String readers() {
        return """
            local function reader(token, ttl)
              redis.call('ZADD', KEYS[1], 0, token)
              if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
            end
            """;
      }
    };
  }
}
