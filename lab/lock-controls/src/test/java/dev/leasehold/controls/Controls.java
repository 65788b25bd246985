package dev.leasehold.controls;

import dev.leasehold.testkit.BackendUnderTest;
import java.util.List;
import java.util.stream.Stream;

/** All controls, in the specification's order. */
public final class Controls {
  private Controls() {}

  static List<Control> all() {
    return Stream.of(
            OwnedLocks.all(),
            MinimumHolds.all(),
            WrongRecall.all(),
            WrongUse.elections(),
            WrongUse.several(),
            WrongUse.others(),
            Promises.ofOrder(),
            ReadWriteLocks.all(),
            Semaphores.all(),
            WrongLatch.all(),
            Quorums.withLatches(),
            Promises.ofNumbers(),
            Quorums.all(),
            Promises.ofReplicas())
        .flatMap(List::stream)
        .toList();
  }

  /** The control of this name, for worker JVMs. */
  public static BackendUnderTest byName(String name) {
    return all().stream()
        .filter(control -> control.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no control is named " + name));
  }
}
