package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A release with a minimum hold that writes the rest without checking the holder. */
public final class SetWithoutComparing extends Control {
  @Override
  public String name() {
    return "minimum hold set without comparing";
  }

  @Override
  List<String> tells() {
    return List.of("AT-2");
  }

  @Override
  List<String> breaks() {
    return List.of("AT-2");
  }

  @Override
  public LeaseStore open(String address) {
    return new KeepingStore(address) {
      @Override
      boolean keep(String key, String token, long rest) {
        return redis.text("SET", key, "-" + token, "PX", Long.toString(rest)).isPresent();
      }
    };
  }
}
