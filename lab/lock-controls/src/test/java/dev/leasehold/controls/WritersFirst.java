package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Sound, but only writers can wait at the door: a refused reader has to poll. */
public final class WritersFirst extends ReadWriteControl {
  @Override
  public String name() {
    return "writers that pass a waiting reader";
  }

  @Override
  List<String> tells() {
    return List.of("RW-2");
  }

  @Override
  List<String> breaks() {
    return List.of("RW-2");
  }

  @Override
  public LeaseStore open(String address) {
    return new ReadWriteSketch(address) {
      @Override
      String atOnce() {
        return "if ARGV[3] == 'r' then ARGV[5] = '0' end\n";
      }
    };
  }
}
