package dev.leasehold.controls;

import dev.leasehold.controls.ElectionSketch.Flaw;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.LockOwner;
import java.util.List;

/** A sound lock with an election in the usual style, with one flaw. */
public final class WrongElection extends WrongUse {
  private static final LockOwner ALL = LockOwner.named("all candidates of this process");

  private final Flaw flaw;

  private WrongElection(String name, String breaks, Flaw flaw) {
    super(name, breaks);
    this.flaw = flaw;
  }

  static WrongElection ofOneOwner() {
    return new WrongElection("election with one owner for all", "EL-1", Flaw.ONE_OWNER);
  }

  static WrongElection toldByAll() {
    return new WrongElection("election notified by each cause", "EL-2", Flaw.TOLD_BY_ALL);
  }

  static WrongElection onOneThread() {
    return new WrongElection("election on one thread", "EL-3", Flaw.ONE_THREAD);
  }

  static WrongElection leftToExpire() {
    return new WrongElection("election left to expire", "EL-4", Flaw.LEFT_TO_EXPIRE);
  }

  /**
   * An election that runs the callback on the watching thread notices a slow release only
   * afterwards.
   */
  @Override
  List<String> breaks() {
    return flaw == Flaw.ONE_THREAD ? List.of("EL-2", "EL-3") : super.breaks();
  }

  @Override
  List<String> spares() {
    return List.of("EL-1", "EL-2", "EL-3", "EL-4");
  }

  @Override
  public LeaderElection.Builder election(DistributedLock lock) {
    return new ElectionSketch(flaw == Flaw.ONE_OWNER ? lock.as(ALL) : lock, flaw);
  }
}
