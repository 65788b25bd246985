package dev.leasehold.testkit.node;

/** A node's own clock, which ends its leases: it may run fast or slow, and jump. */
final class NodeClock {
  private final long origin = System.nanoTime();
  private volatile double rate = 1;
  private volatile long jumped;

  /** Runs at another rate from the start: 1.01 is 1 % fast. */
  void rate(double newRate) {
    rate = newRate;
  }

  synchronized void jump(long nanos) {
    jumped += nanos;
  }

  long nanos() {
    return (long) ((System.nanoTime() - origin) * rate) + jumped;
  }

  /** The {@link System#nanoTime()} at which this clock shows {@code nanos}. */
  long realTime(long nanos) {
    return origin + (long) ((nanos - jumped) / rate);
  }
}
