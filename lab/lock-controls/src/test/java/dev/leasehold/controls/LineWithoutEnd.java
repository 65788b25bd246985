package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.view.ServerView;
import java.util.List;
import java.util.Optional;

/** A fair line whose places last until the waiter leaves, even if it has died. */
public final class LineWithoutEnd extends Control {
  @Override
  public String name() {
    return "fair line of the dead";
  }

  @Override
  boolean concerns(String ruleId) {
    return ruleId.startsWith("FA-");
  }

  @Override
  List<String> tells() {
    return List.of("FA-3");
  }

  @Override
  List<String> breaks() {
    return List.of("FA-3");
  }

  @Override
  List<String> spares() {
    return List.of("FA-2", "LE-3", "IN-1");
  }

  @Override
  public LeaseStore open(String address) {
    return new FairSketch(address);
  }

  @Override
  public Optional<ServerView> view(String address) {
    return super.view(address).map(view -> new WithLine(view, new RedisCalls(address)));
  }
}
