package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A token, but the check and the delete are two steps. */
public final class GetThenDel extends Control {
  @Override
  public String name() {
    return "SET NX PX, token, GET then DEL";
  }

  @Override
  List<String> tells() {
    return List.of("RL-7");
  }

  @Override
  List<String> breaks() {
    return List.of("RL-7");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, OWNED_WITH_TTL) {
      @Override
      boolean free(String key, String token) {
        return redis.text("GET", key).filter(token::equals).isPresent()
            && redis.number("DEL", key) == 1;
      }
    };
  }
}
