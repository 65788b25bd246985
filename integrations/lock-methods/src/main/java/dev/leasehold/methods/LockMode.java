package dev.leasehold.methods;

/** Which lock of a name a {@link Locked} method takes. */
public enum LockMode {
  /** The plain lock: one holder at a time. Independent of the read/write lock of the same name. */
  PLAIN,
  /** The read side of the read/write lock: many holders at a time, but no writer. */
  READ,
  /** The write side of the read/write lock: one holder, and no readers. */
  WRITE
}
