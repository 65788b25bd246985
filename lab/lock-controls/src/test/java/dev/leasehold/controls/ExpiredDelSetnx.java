package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;
import java.util.Set;

/**
 * A client that finds the time past deletes the key and takes the lock: two such clients delete
 * each other's lock.
 */
public final class ExpiredDelSetnx extends Control {
  /** Also created by worker JVMs. */
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
