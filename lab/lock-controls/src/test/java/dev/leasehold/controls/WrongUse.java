package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** A sound lock, and a common construction on top of it, with one flaw. */
abstract class WrongUse extends Control {
  private final String name;
  private final List<String> breaks;

  WrongUse(String name, String... breaks) {
    this.name = name;
    this.breaks = List.of(breaks);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  final List<String> tells() {
    return breaks;
  }

  @Override
  List<String> breaks() {
    return breaks;
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, OWNED_WITH_TTL);
  }

  /** Worker processes hold single locks, and nothing that is built on them. */
  @Override
  public final String recipe() {
    return new FreeForAll().recipe();
  }
}
