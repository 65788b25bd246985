package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A renewal that checks whether there is any reader, not whether it is this one. */
public final class ReadersRenewedByAnyClient extends ReadWriteControl {
  @Override
  public String name() {
    return "readers renewed by any client";
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
      String atRenewal() {
        return """
            if ARGV[3] == 'r' and redis.call('ZCARD', KEYS[1]) > 0 then
              reader(ARGV[1], tonumber(ARGV[2]))
              return 1
            end
            """;
      }
    };
  }
}
