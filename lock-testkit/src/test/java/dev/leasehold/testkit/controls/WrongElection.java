package dev.leasehold.testkit.controls;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.controls.ElectionSketch.Flaw;
import java.util.List;

/** A sound lock with an election on it as people write one, with one fault. */
public final class WrongElection extends Control {
  private static final LockOwner ALL = LockOwner.named("all candidates of this process");

  private final String name;
  private final String breaks;
  private final Flaw flaw;

  private WrongElection(String name, String breaks, Flaw flaw) {
    this.name = name;
    this.breaks = breaks;
    this.flaw = flaw;
  }

  static WrongElection ofOneOwner() {
    return new WrongElection("election with one owner for all", "EL-1", Flaw.ONE_OWNER);
  }

  static WrongElection toldByAll() {
    return new WrongElection("election told by whoever notices", "EL-2", Flaw.TOLD_BY_ALL);
  }

  static WrongElection onOneThread() {
    return new WrongElection("election on one thread", "EL-3", Flaw.ONE_THREAD);
  }

  static WrongElection leftToExpire() {
    return new WrongElection("election left to expire", "EL-4", Flaw.LEFT_TO_EXPIRE);
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
    return List.of("EL-1", "EL-2", "EL-3", "EL-4");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, OWNED_WITH_TTL);
  }

  @Override
  public LeaderElection.Builder election(DistributedLock lock) {
    return new ElectionSketch(flaw == Flaw.ONE_OWNER ? lock.as(ALL) : lock, flaw);
  }

  /** Worker processes hold locks, and elect nobody. */
  @Override
  public String recipe() {
    return new FreeForAll().recipe();
  }
}
