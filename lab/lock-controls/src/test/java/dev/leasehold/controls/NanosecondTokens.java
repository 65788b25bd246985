package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Fencing tokens that are correct in 64 bits, but not where numbers are doubles. */
public final class NanosecondTokens extends Control {
  private static final long NANOS_PER_MICRO = 1000;

  @Override
  public String name() {
    return "tokens of nanoseconds";
  }

  @Override
  List<String> tells() {
    return List.of("FE-4");
  }

  @Override
  List<String> breaks() {
    return List.of("FE-4");
  }

  @Override
  public LeaseStore open(String address) {
    Set<Guarantee> believed = EnumSet.copyOf(OWNED_WITH_TTL);
    believed.add(Guarantee.FENCING);
    return new FencedSketch(address, believed, NANOS_PER_MICRO);
  }
}
