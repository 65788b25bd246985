package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A release with a minimum hold that shortens the TTL and keeps the token as the value. */
public final class TokenKept extends Control {
  private static final String SHORTEN =
      """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return 1
      """;

  @Override
  public String name() {
    return "minimum hold with the token kept";
  }

  @Override
  List<String> tells() {
    return List.of("AT-2");
  }

  @Override
  List<String> breaks() {
    return List.of("AT-2", "AT-3");
  }

  @Override
  public LeaseStore open(String address) {
    return new KeepingStore(address) {
      @Override
      boolean keep(String key, String token, long rest) {
        return redis.script(SHORTEN, key, token, Long.toString(rest)) == 1;
      }
    };
  }
}
