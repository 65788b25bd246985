package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.view.ValueForm;
import java.util.List;
import java.util.Set;

/**
 * The same algorithm, more careful: the release deletes only if, by its own clock, it still holds
 * the lock.
 */
public final class GetsetThenDelUnlessExpired extends Control {
  /** Also created by worker JVMs. */
  public GetsetThenDelUnlessExpired() {
    super(ValueForm.MILLIS);
  }

  @Override
  public String name() {
    return "GETSET timestamp, DEL unless expired";
  }

  @Override
  List<String> tells() {
    return List.of("LE-7", "RL-7");
  }

  @Override
  List<String> breaks() {
    return List.of("EX-4", "EX-5", "LE-7", "RL-7");
  }

  @Override
  public LeaseStore open(String address) {
    return new TimestampSketch(address, Set.of(Guarantee.OWNED, Guarantee.CLOCK_INDEPENDENT)) {
      @Override
      boolean takeOver(String key, String old, String mine) {
        return redis.text("GETSET", key, mine).filter(old::equals).isPresent();
      }

      @Override
      boolean free(String key, String token) {
        String mine = written.remove(token);
        return mine != null && !isOver(mine) && redis.number("DEL", key) == 1;
      }
    };
  }
}
