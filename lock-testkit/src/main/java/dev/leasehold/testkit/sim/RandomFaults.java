package dev.leasehold.testkit.sim;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random faults at given {@link Rates}. Not thread-safe. */
public final class RandomFaults implements FaultPlan {
  private final RandomGenerator random;
  private final Rates rates;
  private boolean calm;

  /**
   * Fault rates, each from 0 to 1.
   *
   * @param lost a request is lost, or (as often) a reply
   * @param repeated a request is delivered twice, the second time up to {@code slowest} later
   * @param failed the server refuses temporarily, or (as often) the connection breaks
   * @param slow a delay of up to {@code slowest}
   * @param usual the longest usual delay of one way
   * @param slowest the longest possible delay of one way
   */
  public record Rates(
      double lost, double repeated, double failed, double slow, Duration usual, Duration slowest) {}

  /** Random faults at these rates. */
  public RandomFaults(RandomGenerator random, Rates rates) {
    this.random = random;
    this.rates = rates;
  }

  /** No faults from now on. */
  public void calmDown() {
    calm = true;
  }

  @Override
  public Fate fate(SimCall call) {
    if (calm) {
      return Fate.after(any(rates.usual), any(rates.usual));
    }
    double dice = random.nextDouble();
    if ((dice -= rates.lost) < 0) {
      return random.nextBoolean() ? Fate.requestLost() : Fate.replyLost(way());
    }
    if ((dice -= rates.repeated) < 0) {
      return new Fate.Sent(List.of(way(), any(rates.slowest)), List.of(way()));
    }
    if (dice - rates.failed < 0) {
      return random.nextBoolean()
          ? Fate.refused(way(), new LockStoreException(Kind.UNAVAILABLE, "LOADING"))
          : Fate.cutAfter(way(), way());
    }
    return Fate.after(way(), way());
  }

  private Duration way() {
    return any(random.nextDouble() < rates.slow ? rates.slowest : rates.usual);
  }

  private Duration any(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }
}
