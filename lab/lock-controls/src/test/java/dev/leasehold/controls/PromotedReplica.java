package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A sound lock on one primary, whose author believes that a replica makes it safe. */
public final class PromotedReplica extends Control {
  @Override
  public String name() {
    return "single master with asynchronous replica, promoted";
  }

  @Override
  List<String> tells() {
    return List.of("FL-5");
  }

  @Override
  List<String> breaks() {
    return List.of("FL-5");
  }

  @Override
  public LeaseStore open(String address) {
    Set<Guarantee> believed = EnumSet.copyOf(OWNED_WITH_TTL);
    believed.add(Guarantee.FAILOVER_SAFE);
    return new SoundStore(address, believed);
  }
}
