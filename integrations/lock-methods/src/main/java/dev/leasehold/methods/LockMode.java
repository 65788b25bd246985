package dev.leasehold.methods;

/** Which lock of a name a {@link Locked} method takes. */
public enum LockMode {
  /** The lock: one at a time. A stranger to the read/write lock of the name. */
  PLAIN,
  /** The read side of the read/write lock: many at a time, while nobody writes. */
  READ,
  /** The write side of the read/write lock: one at a time, while nobody reads. */
  WRITE
}
