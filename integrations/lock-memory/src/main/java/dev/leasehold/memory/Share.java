package dev.leasehold.memory;

import java.time.Duration;

/**
 * What one lease takes of a name.
 *
 * @param kind which kind of lock
 * @param wanted how many permits; 1 where the kind has none
 * @param of how many permits the name has; 0 where the kind has none
 * @param reads whether it is the read side
 * @param beside token of the write side's lease that a reader may stand beside; empty for none
 */
record Share(Kind kind, int wanted, int of, boolean reads, String beside) {

  /** Kinds of locks: names of different kinds are strangers. */
  enum Kind {
    LOCK,
    PERMITS,
    READ_WRITE
  }

  static final Share LOCK = new Share(Kind.LOCK, 1, 0, false, "");
  static final Share WRITE = new Share(Kind.READ_WRITE, 1, 0, false, "");

  static Share read(String beside) {
    return new Share(Kind.READ_WRITE, 1, 0, true, beside);
  }

  static Share permits(int wanted, int of) {
    return new Share(Kind.PERMITS, wanted, of, false, "");
  }

  /** What somebody has of a name. */
  record Held(Share share, Standing standing, long end, long lastFence, long firstFence) {
    Held until(long newEnd) {
      return newEnd - end <= 0 ? this : new Held(share, standing, newEnd, lastFence, firstFence);
    }

    Held of(Share other) {
      return new Held(other, standing, end, lastFence, firstFence);
    }

    Duration left(long now) {
      return Duration.ofNanos(Math.max(0, end - now));
    }
  }

  /** As what. */
  enum Standing {
    /** A lease. */
    HELD,
    /** Nobody's yet: for a waiter that was woken. */
    KEPT,
    /** Nobody's any more: a minimum hold. */
    TOMBSTONE
  }
}
