package dev.leasehold.testkit.sim;

import java.time.Duration;

/** Decides what becomes of each message. Runs in the world's thread. */
@FunctionalInterface
public interface FaultPlan {

  /** What becomes of this one. */
  Fate fate(SimCall call);

  /** Nothing goes wrong; each way takes this long. */
  static FaultPlan calm(Duration oneWay) {
    Fate fate = Fate.after(oneWay);
    return call -> fate;
  }
}
