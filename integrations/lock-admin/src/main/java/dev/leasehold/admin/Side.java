package dev.leasehold.admin;

/** The part of a lock that a hold has or a waiter wants. */
public enum Side {
  /** All of it: a lock. */
  ALL,
  /** The read side of a read/write lock. */
  READ,
  /** The write side of a read/write lock. */
  WRITE,
  /** Permits of a semaphore. */
  PERMITS
}
