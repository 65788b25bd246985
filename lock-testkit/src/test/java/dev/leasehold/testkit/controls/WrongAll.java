package dev.leasehold.testkit.controls;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.controls.AllSketch.Flaw;
import java.util.Collection;
import java.util.List;

/** A sound lock, and several of them taken at once as people do it, with one fault. */
public final class WrongAll extends Control {
  private final String name;
  private final String breaks;
  private final Flaw flaw;

  private WrongAll(String name, String breaks, Flaw flaw) {
    this.name = name;
    this.breaks = breaks;
    this.flaw = flaw;
  }

  static WrongAll leavesSome() {
    return new WrongAll("several locks, some left behind", "MU-1", Flaw.LEAVES_SOME);
  }

  static WrongAll keepsWhileWaiting() {
    return new WrongAll("several locks, kept while it waits", "MU-2", Flaw.KEEPS_WHILE_WAITING);
  }

  static WrongAll looksAtTheFirst() {
    return new WrongAll("several locks, valid as the first is", "MU-3", Flaw.LOOKS_AT_THE_FIRST);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  List<String> tells() {
    return List.of(breaks);
  }

  @Override
  List<String> breaks() {
    return List.of(breaks);
  }

  @Override
  List<String> spares() {
    return List.of("MU-1", "MU-2", "MU-3");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, OWNED_WITH_TTL);
  }

  @Override
  public DistributedLock all(LockManager manager, Collection<String> names, LockOptions options) {
    return new AllSketch(names.stream().map(name -> manager.lock(name, options)).toList(), flaw);
  }

  /** Worker processes take one lock at a time. */
  @Override
  public String recipe() {
    return new FreeForAll().recipe();
  }
}
