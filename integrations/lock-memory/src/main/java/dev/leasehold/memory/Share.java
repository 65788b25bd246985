package dev.leasehold.memory;

import java.time.Duration;

/**
 * The share of a name that one lease takes.
 *
 * @param kind the kind of lock
 * @param wanted number of permits; 1 for kinds without permits
 * @param of total number of permits; 0 for kinds without permits
 * @param reads whether it is the read side
 * @param beside token of the owner's write lease, next to which it may read; empty for none
 */
record Share(Kind kind, int wanted, int of, boolean reads, String beside) {

  /** Kinds of locks; names of different kinds are independent. */
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

  /** An entry of a name. */
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

  /** The status of an entry. */
  enum Standing {
    /** A lease. */
    HELD,
    /** Reserved for a waiter that was woken. */
    KEPT,
    /** Released, but taken for the rest of a minimum hold. */
    TOMBSTONE
  }
}
