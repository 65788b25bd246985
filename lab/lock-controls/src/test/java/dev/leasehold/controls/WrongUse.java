package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Sound locks, and a common construction on top of them, with one flaw. */
final class WrongUse {
  private static final LockOwner ALL = LockOwner.unique("all candidates of this process");
  private static final Duration SHORT = TimeScale.millis(100);

  private WrongUse() {}

  static List<Control> elections() {
    return List.of(
        election("election with one owner for all", breaks("EL-1"), ElectionSketch.Flaw.ONE_OWNER),
        election(
            "election notified by each cause", breaks("EL-2"), ElectionSketch.Flaw.TOLD_BY_ALL),
        // It also notices a slow release only afterwards.
        election(
            "election on one thread",
            breaks("EL-2", "EL-3").toldBy("EL-3"),
            ElectionSketch.Flaw.ONE_THREAD),
        election("election left to expire", breaks("EL-4"), ElectionSketch.Flaw.LEFT_TO_EXPIRE));
  }

  private static Control election(String name, Control.Rules broken, ElectionSketch.Flaw flaw) {
    Control control =
        new Control(name, broken, SoundStore::new) {
          @Override
          public LeaderElection.Builder election(DistributedLock lock) {
            return new ElectionSketch(
                flaw == ElectionSketch.Flaw.ONE_OWNER ? lock.as(ALL) : lock, flaw);
          }
        };
    return control.sparing("EL-1", "EL-2", "EL-3", "EL-4");
  }

  static List<Control> several() {
    return List.of(
        several("some left behind", AllSketch.Flaw.LEAVES_SOME, "MU-1"),
        several("forgotten at a failure", AllSketch.Flaw.FORGETS_AT_A_FAILURE, "MU-1"),
        several("kept while it waits", AllSketch.Flaw.KEEPS_WHILE_WAITING, "MU-2"),
        inAllLines(),
        several("valid as the first is", AllSketch.Flaw.LOOKS_AT_THE_FIRST, "MU-3"),
        several("as long as the longest", AllSketch.Flaw.TELLS_THE_LATEST, "MU-3"),
        several("valid until released", AllSketch.Flaw.CHECKS_THE_RELEASE, "MU-3"),
        several("notified for each", AllSketch.Flaw.TELLS_FOR_EACH, "MU-3"),
        new Several(
            "one after another",
            breaks("MU-4"),
            address -> new SoundStore(address, Guarantee.TOGETHER),
            locks -> new AllSketch(locks, AllSketch.Flaw.ONE_BY_ONE)),
        new Several(
            "with a token of their own",
            breaks("MU-4", "MU-5"),
            address -> new FencedSketch(address, 1, Guarantee.TOGETHER),
            locks -> new AllSketch(locks, AllSketch.Flaw.COUNTS_BY_ITSELF)),
        new Several(
            "with the first token",
            breaks("MU-5"),
            address -> new FencedSketch(address, 1),
            locks -> new AllSketch(locks, AllSketch.Flaw.TOKEN_OF_THE_FIRST)));
  }

  private static Control several(String how, AllSketch.Flaw flaw, String breaks) {
    return new Several(how, breaks(breaks), SoundStore::new, locks -> new AllSketch(locks, flaw));
  }

  /**
   * Locks with lines, and a caller of several that waits in all of the lines: it consumes the
   * wake-up of a free lock and keeps sleeping while another is held.
   */
  private static Control inAllLines() {
    // Where the locks are: no rule about several locks starts a server of its own.
    AtomicReference<String> server = new AtomicReference<>("");
    return new Several(
            "in all their lines",
            breaks("MU-2"),
            address -> {
              server.set(address);
              return new LineSketch.Waking(address);
            },
            locks -> new AllLinesSketch(server.get(), locks))
        .concerning("MU-.*");
  }

  /** A common way to take several locks at once. */
  private static final class Several extends Control {
    private final Function<List<DistributedLock>, DistributedLock> combine;

    Several(
        String how,
        Rules broken,
        Function<String, LeaseStore> store,
        Function<List<DistributedLock>, DistributedLock> combine) {
      super("several locks, " + how, broken, store);
      this.combine = combine;
      sparing("MU-1", "MU-2", "MU-3");
    }

    @Override
    public DistributedLock all(LockManager manager, Collection<String> names, LockOptions options) {
      return all(names.stream().map(name -> manager.lock(name, options)).toList());
    }

    @Override
    public DistributedLock all(List<DistributedLock> locks) {
      return combine.apply(locks);
    }
  }

  static List<Control> others() {
    return List.of(
        shortWaitsEndEmpty(),
        // A command sent before the connection broke may reach the server after the release.
        new Control(
            "broken connection left to its packets",
            breaks("FL-1"),
            address -> new SoundStore(new RedisCalls(address, false), SoundStore.OWNED_WITH_TTL)));
  }

  /** A lock that reports the end of a short wait as a refusal, whatever the store said. */
  private static Control shortWaitsEndEmpty() {
    return new Control("short waits that end empty", breaks("WA-11"), SoundStore::new) {
      @Override
      public LockManager manager(String address, UnaryOperator<LockManager.Builder> tuning) {
        return Around.each(
            LockManager.class,
            super.manager(address, tuning),
            (method, arguments, call) ->
                method.getName().equals("lock")
                    ? spoiled((DistributedLock) call.make())
                    : call.make());
      }
    };
  }

  private static DistributedLock spoiled(DistributedLock sound) {
    return Around.each(
        DistributedLock.class,
        sound,
        (method, arguments, call) -> {
          try {
            return call.make();
          } catch (LockStoreException e) {
            if (isShort(arguments)) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }

  private static boolean isShort(Object[] arguments) {
    return arguments.length == 1
        && arguments[0] instanceof Duration wait
        && !wait.isZero()
        && wait.compareTo(SHORT) < 0;
  }
}
