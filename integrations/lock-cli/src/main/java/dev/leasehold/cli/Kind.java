package dev.leasehold.cli;

/** The kind of lock to acquire. */
sealed interface Kind {

  /** A plain lock, or a side of a read/write lock. */
  enum Side implements Kind {
    NONE,
    READ,
    WRITE
  }

  /** One permit of a semaphore with this many permits. */
  record Permit(int of) implements Kind {}
}
