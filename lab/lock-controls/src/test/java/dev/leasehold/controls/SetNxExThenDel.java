package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Acquired by one command, but released without checking the owner. */
public final class SetNxExThenDel extends Control {
  @Override
  public String name() {
    return "SET NX EX, plain DEL";
  }

  @Override
  List<String> tells() {
    return List.of("RL-1", "RL-3");
  }

  @Override
  List<String> breaks() {
    return List.of("LO-3", "RL-1", "RL-3", "RL-4", "RL-7");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, OWNED_WITH_TTL) {
      @Override
      boolean free(String key, String token) {
        return redis.number("DEL", key) == 1;
      }
    };
  }
}
