package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Each grant has a token, but readers draw theirs from a separate counter. */
public final class CounterForEachSide extends ReadWriteControl {
  @Override
  public String name() {
    return "sides with a counter each";
  }

  @Override
  List<String> tells() {
    return List.of("RW-6");
  }

  @Override
  List<String> breaks() {
    return List.of("RW-6");
  }

  @Override
  public LeaseStore open(String address) {
    return new ReadWriteSketch(address, Set.of(Guarantee.FENCING)) {
      @Override
      OptionalLong token(String key, String mode) {
        return OptionalLong.of(redis.number("INCR", key + ":fence:" + mode));
      }

      @Override
      OptionalLong fence(String token) {
        return OptionalLong.of(redis.number("INCR", "fence"));
      }
    };
  }
}
