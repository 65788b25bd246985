package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Two commands, between which the client may die; and a release without checking the owner. */
public final class SetnxThenExpire extends Control {
  @Override
  public String name() {
    return "SETNX then EXPIRE";
  }

  @Override
  List<String> tells() {
    return List.of("LE-1", "RL-1");
  }

  @Override
  List<String> breaks() {
    return List.of("LE-1", "LO-3", "RL-1", "RL-3", "RL-4", "RL-7");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, OWNED_WITH_TTL) {
      @Override
      Optional<Duration> take(String key, String token, long ttl) {
        if (redis.number("SETNX", key, token) == 0) {
          Optional<Duration> refusal = refusal(key, token);
          if (refusal.isPresent()) {
            return refusal;
          }
        }
        redis.number("PEXPIRE", key, Long.toString(ttl));
        return Optional.empty();
      }

      @Override
      boolean free(String key, String token) {
        return redis.number("DEL", key) == 1;
      }
    };
  }
}
