package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The oldest scheme: no expiry and no owner. */
public final class BareSetnx extends Control {
  @Override
  public String name() {
    return "bare SETNX";
  }

  @Override
  List<String> tells() {
    return List.of("LE-1", "LE-2", "RL-1");
  }

  @Override
  List<String> breaks() {
    return List.of(
        "EX-1", "EX-5", "FL-4", "LC-1", "LE-1", "LE-2", "LE-5", "LO-3", "MU-3", "RL-1", "RL-3",
        "RL-4", "RL-7", "RN-2", "RN-5", "RN-6");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY)) {
      @Override
      Optional<Duration> take(String key, String token, long ttl) {
        boolean taken =
            redis.number("SETNX", key, token) == 1
                || redis.text("GET", key).filter(token::equals).isPresent();
        return taken ? Optional.empty() : Optional.of(Duration.ofSeconds(1));
      }

      @Override
      boolean free(String key, String token) {
        return redis.number("DEL", key) == 1;
      }

      @Override
      boolean prolong(String key, String token, long ttl) {
        return redis.text("GET", key).filter(token::equals).isPresent();
      }
    };
  }
}
