package dev.leasehold.redlock;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Predicts a fence that no node would exceed: the largest vote seen plus the microseconds since, by
 * the monotonic clock. A prediction that is too low costs a second round, and is never unsafe.
 *
 * <p>If this clock runs faster than the servers', the fences run ahead of their clocks, until the
 * nodes limit the proposal to a second ahead. Then nothing is predicted for two seconds, in which
 * their clocks catch up; if they were set back by more, this repeats until they have.
 */
final class FenceClock {
  private static final long NANOS_PER_MICRO = 1000;

  /** Twice the lead that nodes allow a proposal. */
  private static final long CATCH_UP_NANOS = 2_000_000_000L;

  private final AtomicReference<@Nullable Base> base = new AtomicReference<>();

  /** A vote and when it was seen; or, if quiet, since when nothing is predicted. */
  private record Base(long fence, long at, boolean isQuiet) {
    long fenceAt(long nanos) {
      return isQuiet ? 0 : fence + Math.max(0, nanos - at) / NANOS_PER_MICRO;
    }

    boolean isQuietAt(long nanos) {
      return isQuiet && nanos - at < CATCH_UP_NANOS;
    }
  }

  /** The proposal for a round that begins now; zero if nothing is known. */
  long propose(long nanos) {
    Base known = base.get();
    return known == null ? 0 : known.fenceAt(nanos);
  }

  /** Records the largest vote of a round. */
  void seen(long vote, long proposed, long sentAt) {
    base.updateAndGet(known -> next(known, vote, proposed, sentAt));
  }

  private static Base next(@Nullable Base known, long vote, long proposed, long sentAt) {
    if (known == null) {
      return new Base(vote, sentAt, false);
    }
    if (known.isQuietAt(sentAt)) {
      return known;
    }
    if (vote < proposed) {
      return new Base(vote, sentAt, true);
    }
    return vote > known.fenceAt(sentAt) ? new Base(vote, sentAt, false) : known;
  }
}
