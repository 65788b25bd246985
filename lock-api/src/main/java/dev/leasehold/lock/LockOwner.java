package dev.leasehold.lock;

import java.util.Objects;

/**
 * An explicit owner of locks, for work that moves between threads: acquisitions through {@link
 * DistributedLock#as} with the same object re-enter. Compared by identity, not by description.
 * Immutable and thread-safe.
 */
public final class LockOwner {
  private final String description;

  private LockOwner(String description) {
    this.description = Objects.requireNonNull(description, "description");
  }

  /** Creates an owner, distinct from all others; the description appears in logs. */
  public static LockOwner named(String description) {
    return new LockOwner(description);
  }

  @Override
  public String toString() {
    return description;
  }
}
