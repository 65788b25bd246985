package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** MULTI executes both commands: a loser's PEXPIRE, too. */
public final class MultiSetnxExpire extends Control {
  @Override
  public String name() {
    return "MULTI of SETNX and EXPIRE";
  }

  @Override
  List<String> tells() {
    return List.of("EX-5", "RL-1");
  }

  @Override
  List<String> breaks() {
    return List.of(
        "EX-5", "FL-4", "LC-1", "LE-2", "LE-5", "LO-3", "MU-3", "RL-1", "RL-3", "RL-4", "RL-7",
        "RN-2", "RN-5", "RN-6", "WA-6");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY)) {
      @Override
      Optional<Duration> take(String key, String token, long ttl) {
        List<?> replies =
            redis.on(
                connection -> {
                  connection.call("MULTI");
                  connection.call("SETNX", key, token);
                  connection.call("PEXPIRE", key, Long.toString(ttl));
                  return connection.list("EXEC");
                });
        boolean taken =
            replies.get(0).equals(1L) || redis.text("GET", key).filter(token::equals).isPresent();
        return taken ? Optional.empty() : Optional.of(Duration.ofMillis(ttl));
      }

      @Override
      boolean free(String key, String token) {
        return redis.number("DEL", key) == 1;
      }
    };
  }
}
