package dev.leasehold.controls;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.Collection;
import java.util.List;

/**
 * A sound lock with lines, and a caller of several locks that waits in all of the lines: it
 * consumes the wake-up of a free lock and keeps sleeping while another is held.
 */
public final class InAllLines extends WrongUse {
  private volatile String server = "";

  InAllLines() {
    super("several locks, in all their lines", "MU-2");
  }

  @Override
  boolean concerns(String ruleId) {
    return ruleId.startsWith("MU-");
  }

  @Override
  List<String> spares() {
    return List.of("MU-1", "MU-3");
  }

  @Override
  public LeaseStore open(String address) {
    server = address; // no rule about several locks starts a server of its own
    return new WakingStore(address);
  }

  @Override
  public DistributedLock all(LockManager manager, Collection<String> names, LockOptions options) {
    return all(names.stream().map(name -> manager.lock(name, options)).toList());
  }

  @Override
  public DistributedLock all(List<DistributedLock> locks) {
    return new AllLinesSketch(server, locks.stream().map(DistributedLock::name).toList(), locks);
  }
}
