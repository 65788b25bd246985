package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A write side without an expiry until its first renewal. */
public final class WriterWithoutEnd extends ReadWriteControl {
  @Override
  public String name() {
    return "writer without a time to live";
  }

  @Override
  List<String> tells() {
    return List.of("RW-4");
  }

  @Override
  List<String> breaks() {
    return List.of("RW-4");
  }

  @Override
  public LeaseStore open(String address) {
    return new ReadWriteSketch(address) {
      @Override
      String writer() {
        return """
        local function writer(token) redis.call('SET', KEYS[1] .. ':w', token) end
        """;
      }
    };
  }
}
