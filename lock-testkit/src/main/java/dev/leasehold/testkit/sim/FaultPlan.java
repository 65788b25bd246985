package dev.leasehold.testkit.sim;

import java.time.Duration;

/** Decides the fate of each message. Runs on the world's thread. */
@FunctionalInterface
public interface FaultPlan {

  /** The fate of this message. */
  Fate fate(SimCall call);

  /** No faults; this delay each way. */
  static FaultPlan calm(Duration oneWay) {
    Fate fate = Fate.after(oneWay);
    return call -> fate;
  }
}
