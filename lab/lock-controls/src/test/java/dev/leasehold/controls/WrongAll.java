package dev.leasehold.controls;

import dev.leasehold.controls.AllSketch.Flaw;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A sound lock, and a common way to take several at once, with one flaw. */
public final class WrongAll extends WrongUse {
  private final Flaw flaw;

  private WrongAll(String name, Flaw flaw, String... breaks) {
    super(name, breaks);
    this.flaw = flaw;
  }

  static WrongAll leavesSome() {
    return new WrongAll("several locks, some left behind", Flaw.LEAVES_SOME, "MU-1");
  }

  static WrongAll forgetsAtAFailure() {
    return new WrongAll("several locks, forgotten at a failure", Flaw.FORGETS_AT_A_FAILURE, "MU-1");
  }

  static WrongAll keepsWhileWaiting() {
    return new WrongAll("several locks, kept while it waits", Flaw.KEEPS_WHILE_WAITING, "MU-2");
  }

  static WrongAll looksAtTheFirst() {
    return new WrongAll("several locks, valid as the first is", Flaw.LOOKS_AT_THE_FIRST, "MU-3");
  }

  static WrongAll tellsTheLatest() {
    return new WrongAll("several locks, as long as the longest", Flaw.TELLS_THE_LATEST, "MU-3");
  }

  static WrongAll checksTheRelease() {
    return new WrongAll("several locks, valid until released", Flaw.CHECKS_THE_RELEASE, "MU-3");
  }

  static WrongAll tellsForEach() {
    return new WrongAll("several locks, notified for each", Flaw.TELLS_FOR_EACH, "MU-3");
  }

  static WrongAll oneByOne() {
    return new WrongAll("several locks, one after another", Flaw.ONE_BY_ONE, "MU-4");
  }

  static WrongAll countsByItself() {
    return new WrongAll(
        "several locks, with a token of their own", Flaw.COUNTS_BY_ITSELF, "MU-4", "MU-5");
  }

  static WrongAll tokenOfTheFirst() {
    return new WrongAll("several locks, with the first token", Flaw.TOKEN_OF_THE_FIRST, "MU-5");
  }

  @Override
  public LeaseStore open(String address) {
    Set<Guarantee> believed = EnumSet.copyOf(OWNED_WITH_TTL);
    switch (flaw) {
      case ONE_BY_ONE -> believed.add(Guarantee.TOGETHER);
      case COUNTS_BY_ITSELF -> {
        believed.addAll(EnumSet.of(Guarantee.TOGETHER, Guarantee.FENCING));
        return new FencedSketch(address, believed, 1);
      }
      case TOKEN_OF_THE_FIRST -> {
        believed.add(Guarantee.FENCING);
        return new FencedSketch(address, believed, 1);
      }
      default -> {}
    }
    return new SoundStore(address, believed);
  }

  @Override
  List<String> spares() {
    return List.of("MU-1", "MU-2", "MU-3");
  }

  @Override
  public DistributedLock all(LockManager manager, Collection<String> names, LockOptions options) {
    return all(names.stream().map(name -> manager.lock(name, options)).toList());
  }

  @Override
  public DistributedLock all(List<DistributedLock> locks) {
    return new AllSketch(locks, flaw);
  }
}
