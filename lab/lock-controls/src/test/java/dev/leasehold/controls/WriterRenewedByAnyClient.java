package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A renewal that checks whether there is any writer, not whether it is this one. */
public final class WriterRenewedByAnyClient extends ReadWriteControl {
  @Override
  public String name() {
    return "writer renewed by any client";
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
        if ARGV[3] == 'w' then return redis.call('PEXPIRE', KEYS[1] .. ':w', ARGV[2]) end
        """;
      }
    };
  }
}
