package dev.leasehold.controls;

import dev.leasehold.controls.LatchSketch.Flaw;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A sound lock, and a latch with one flaw. */
public final class WrongLatch extends Control {
  private final String name;
  private final String tells;
  private final List<String> breaks;
  private final Flaw flaw;

  private WrongLatch(String name, String tells, List<String> breaks, Flaw flaw) {
    this.name = name;
    this.tells = tells;
    this.breaks = breaks;
    this.flaw = flaw;
  }

  static WrongLatch countsRequests() {
    return new WrongLatch("latch by plain DECR", "CL-2", List.of("CL-2"), Flaw.COUNTS_REQUESTS);
  }

  static WrongLatch letsOneThrough() {
    return new WrongLatch(
        "latch that lets one through", "CL-1", List.of("CL-1"), Flaw.LETS_ONE_THROUGH);
  }

  static WrongLatch hasNoEnd() {
    return new WrongLatch("latch kept for ever", "CL-3", List.of("CL-2", "CL-3"), Flaw.HAS_NO_END);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  boolean concerns(String ruleId) {
    return ruleId.startsWith("CL-");
  }

  @Override
  List<String> tells() {
    return List.of(tells);
  }

  @Override
  List<String> breaks() {
    return breaks;
  }

  @Override
  List<String> spares() {
    return List.of("CL-1", "CL-2", "CL-3");
  }

  @Override
  public LeaseStore open(String address) {
    return new LatchSketch(address, flaw);
  }

  /** Worker processes have no latches. */
  @Override
  public String recipe() {
    return new FreeForAll().recipe();
  }
}
