package dev.leasehold.cli;

/** The kind of lock that is asked for. */
sealed interface Kind {

  /** A plain lock, or a side of a read/write lock. */
  enum Side implements Kind {
    NONE,
    READ,
    WRITE
  }

  /** One permit of a semaphore with this many. */
  record Permit(int of) implements Kind {}
}
