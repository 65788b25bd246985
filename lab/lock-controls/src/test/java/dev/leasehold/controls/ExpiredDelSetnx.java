package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;
import java.util.Set;

/** Who finds the time past deletes and takes: two who find it delete one another's lock. */
public final class ExpiredDelSetnx extends Control {
  /** Made by worker JVMs too. */
  public ExpiredDelSetnx() {
    super(dev.leasehold.testkit.view.ValueForm.MILLIS);
  }

  @Override
  public String name() {
    return "expired, DEL, SETNX";
  }

  @Override
  List<String> tells() {
    return List.of("EX-1");
  }

  @Override
  List<String> breaks() {
    return List.of("EX-1");
  }

  @Override
  public LeaseStore open(String address) {
    return new TimestampSketch(address, Set.of()) {
      @Override
      boolean takeOver(String key, String old, String mine) {
        redis.call("DEL", key);
        return redis.number("SETNX", key, mine) == 1;
      }
    };
  }
}
