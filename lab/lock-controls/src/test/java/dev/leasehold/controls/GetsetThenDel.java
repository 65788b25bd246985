package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.view.ValueForm;
import java.util.List;
import java.util.Set;

/** The algorithm of the SETNX page as usually implemented: the release deletes unconditionally. */
public final class GetsetThenDel extends Control {
  /** Also created by worker JVMs. */
  public GetsetThenDel() {
    super(ValueForm.MILLIS);
  }

  @Override
  public String name() {
    return "GETSET timestamp, plain DEL";
  }

  @Override
  List<String> tells() {
    return List.of("EX-5", "LE-7", "RL-1");
  }

  @Override
  List<String> breaks() {
    return List.of("EX-4", "EX-5", "LE-7", "LO-3", "RL-1", "RL-3", "RL-4", "RL-7");
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
        return redis.number("DEL", key) == 1;
      }
    };
  }
}
