package dev.leasehold.testkit.node;

/** A node's own clock, by which its leases end: it may run fast or slow, and jump. */
final class NodeClock {
  private final long origin = System.nanoTime();
  private volatile double rate = 1;
  private volatile long jumped;

  /** Runs at another rate from the beginning: 1.01 is one in a hundred fast. */
  void rate(double newRate) {
    rate = newRate;
  }

  synchronized void jump(long nanos) {
    jumped += nanos;
  }

  long nanos() {
    return (long) ((System.nanoTime() - origin) * rate) + jumped;
  }

  /** When it shows that, by {@link System#nanoTime()}. */
  long realTime(long nanos) {
    return origin + (long) ((nanos - jumped) / rate);
  }
}
