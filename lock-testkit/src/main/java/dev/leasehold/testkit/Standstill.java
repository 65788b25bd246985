package dev.leasehold.testkit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notes how long this JVM stood still at a time: its machine had no processor for it, or for a new
 * thread, as renewals and callbacks may need one, or it collected garbage. A lease that is to be
 * renewed may end then, and what was to end soon ends late. Excuses nothing else: a lock that two
 * have is broken on every machine. Thread-safe.
 */
final class Standstill implements AutoCloseable {
  /** One for all cases that run side by side: each of their ticks would cost all of them time. */
  private static final Pulse PULSE = new Pulse();

  /** What the shortest leases of the suite bear. */
  private static final Duration NOTED = Duration.ofMillis(150);

  private final AtomicLong longest = new AtomicLong();

  Standstill() {
    PULSE.add(this);
  }

  void late(long nanos) {
    longest.accumulateAndGet(nanos, Math::max);
  }

  /** The longest until now, this one included. */
  Duration longest() {
    PULSE.tick();
    return Duration.ofNanos(longest.get());
  }

  /** Whether it was for longer than short leases bear. */
  boolean isLong() {
    return longest().compareTo(NOTED) >= 0;
  }

  /** What to say beside a failure; empty if it stood still for no long time. */
  String hint() {
    return isLong()
        ? "\nMeanwhile this JVM stood still for "
            + longest().toMillis()
            + " ms. If its machine is too busy for leases of half a second:"
            + " -Dleasehold.timescale=3"
        : "";
  }

  @Override
  public void close() {
    PULSE.remove(this);
  }
}
