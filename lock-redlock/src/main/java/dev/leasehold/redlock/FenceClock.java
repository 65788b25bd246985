package dev.leasehold.redlock;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Guesses a fence that no node would exceed: the largest vote seen and the microseconds since, by
 * the monotonic clock. A guess that is too low costs a second round, and is never unsafe.
 */
final class FenceClock {
  private static final long NANOS_PER_MICRO = 1000;

  /** A clock of another rate must not lead the nodes' clocks away for ever. */
  private static final long LONGEST_USE_NANOS = 10_000_000_000L;

  private final AtomicReference<@Nullable Base> base = new AtomicReference<>();

  private record Base(long fence, long at, long since) {
    long fenceAt(long nanos) {
      return fence + Math.max(0, nanos - at) / NANOS_PER_MICRO;
    }
  }

  /** What to propose in a round that begins now; zero if nothing is known. */
  long propose(long nanos) {
    Base known = base.get();
    if (known == null) {
      return 0;
    }
    if (nanos - known.since > LONGEST_USE_NANOS) {
      base.compareAndSet(known, null);
      return 0;
    }
    return known.fenceAt(nanos);
  }

  /** A vote of a round that began then. */
  void seen(long vote, long sentAt) {
    base.updateAndGet(
        known ->
            known == null
                ? new Base(vote, sentAt, sentAt)
                : vote > known.fenceAt(sentAt) ? new Base(vote, sentAt, known.since) : known);
  }
}
