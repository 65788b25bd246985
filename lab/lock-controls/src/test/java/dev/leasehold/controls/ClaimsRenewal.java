package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;
import java.util.Set;

/** A renewal that checks the owner and reports success, but prolongs nothing. */
public final class ClaimsRenewal extends Control {
  @Override
  public String name() {
    return "fixed lease without renewal that claims renewal";
  }

  @Override
  List<String> tells() {
    return List.of("RN-1");
  }

  @Override
  List<String> breaks() {
    return List.of("LE-2", "LE-6", "LO-2", "LO-5", "RN-1", "RN-2", "RN-4", "RN-6");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY)) {
      @Override
      boolean prolong(String key, String token, long ttl) {
        return redis.text("GET", key).filter(token::equals).isPresent();
      }
    };
  }
}
