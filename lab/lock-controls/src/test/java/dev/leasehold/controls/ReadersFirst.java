package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Sound, but waiters are ignored. */
public final class ReadersFirst extends ReadWriteControl {
  @Override
  public String name() {
    return "readers that pass a waiting writer";
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
      String waits(boolean again) {
        return "0";
      }
    };
  }
}
