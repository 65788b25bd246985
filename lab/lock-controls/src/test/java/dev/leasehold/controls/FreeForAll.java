package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A sound lock whose release lets the fastest process win. */
public final class FreeForAll extends Control {
  @Override
  public String name() {
    return "free for all";
  }

  @Override
  List<String> tells() {
    return List.of("FA-1");
  }

  @Override
  List<String> breaks() {
    return List.of("FA-1");
  }

  @Override
  public LeaseStore open(String address) {
    Set<Guarantee> believed = EnumSet.copyOf(OWNED_WITH_TTL);
    believed.add(Guarantee.TURNS);
    return new SoundStore(address, believed);
  }
}
