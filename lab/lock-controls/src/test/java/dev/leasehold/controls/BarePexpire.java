package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A watchdog that prolongs the lock without a check of its holder. */
public final class BarePexpire extends Control {
  @Override
  public String name() {
    return "watchdog by bare PEXPIRE";
  }

  @Override
  List<String> tells() {
    return List.of("RN-2");
  }

  @Override
  List<String> breaks() {
    return List.of("LO-4", "RL-3", "RN-2");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, OWNED_WITH_TTL) {
      @Override
      boolean prolong(String key, String token, long ttl) {
        return redis.number("PEXPIRE", key, Long.toString(ttl)) == 1;
      }
    };
  }
}
