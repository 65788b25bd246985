package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A release of the write side that deletes its key, whichever client holds it. */
public final class WriterReleasedByAnyClient extends ReadWriteControl {
  @Override
  public String name() {
    return "writer released by any client";
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
      String atRelease() {
        return "if ARGV[2] == 'w' then return redis.call('DEL', KEYS[1] .. ':w') end\n";
      }
    };
  }
}
