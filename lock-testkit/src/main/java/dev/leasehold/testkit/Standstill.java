package dev.leasehold.testkit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long this JVM stood still: the machine had no processor for it or for a new thread,
 * or it collected garbage. Renewals and callbacks may need a new thread, so meanwhile a lease may
 * expire that should be renewed, and events may be late. This excuses nothing else: two holders of
 * a lock are a failure on any machine. Thread-safe.
 */
final class Standstill implements AutoCloseable {
  /** One for all concurrent cases: each further one would take processor time from all. */
  private static final Pulse PULSE = new Pulse();

  /** The longest standstill that the shortest leases of the suite tolerate. */
  private static final Duration NOTED = Duration.ofMillis(150);

  private final AtomicLong longest = new AtomicLong();

  Standstill() {
    PULSE.add(this);
  }

  void late(long nanos) {
    longest.accumulateAndGet(nanos, Math::max);
  }

  /** Returns the longest standstill so far, including the present one. */
  Duration longest() {
    PULSE.tick();
    return Duration.ofNanos(longest.get());
  }

  /** Returns whether the longest standstill exceeds what short leases tolerate. */
  boolean isLong() {
    return longest().compareTo(NOTED) >= 0;
  }

  /** Returns a hint for a failure message; empty if there was no long standstill. */
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
