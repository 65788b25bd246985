package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A writer that also reads opens the read side for all other owners. */
public final class AnybodyBeside extends ReadWriteControl {
  @Override
  public String name() {
    return "read side that a writer opens";
  }

  @Override
  List<String> tells() {
    return List.of("RW-3");
  }

  @Override
  List<String> breaks() {
    return List.of("RW-3");
  }

  @Override
  List<String> spares() {
    return List.of("RW-1", "RW-4", "RW-5");
  }

  @Override
  public LeaseStore open(String address) {
    return new ReadWriteSketch(address) {
      @Override
      String atOnce() {
        // There is a reader already, so reading is allowed.
        return """
            if ARGV[3] == 'r' and redis.call('ZCARD', KEYS[1]) > 0
                and redis.call('EXISTS', KEYS[1] .. ':w') == 1 then
              reader(ARGV[1], tonumber(ARGV[2]))
              return -1
            end
            """;
      }
    };
  }
}
