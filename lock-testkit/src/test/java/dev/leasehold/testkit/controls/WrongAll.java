package dev.leasehold.testkit.controls;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.controls.AllSketch.Flaw;
import java.util.Collection;
import java.util.List;

/** A sound lock, and several of them taken at once as people do it, with one fault. */
public final class WrongAll extends WrongUse {
  private final Flaw flaw;

  private WrongAll(String name, String breaks, Flaw flaw) {
    super(name, breaks);
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

  static WrongAll tellsForEach() {
    return new WrongAll("several locks, told for each", "MU-3", Flaw.TELLS_FOR_EACH);
  }

  @Override
  List<String> spares() {
    return List.of("MU-1", "MU-2", "MU-3");
  }

  @Override
  public DistributedLock all(LockManager manager, Collection<String> names, LockOptions options) {
    return new AllSketch(names.stream().map(name -> manager.lock(name, options)).toList(), flaw);
  }
}
