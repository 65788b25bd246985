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

  /**
   * Creates an owner. Each call makes a new one, even for the same description: keep it, and pass
   * the same object to acquire again or to release through a view. Two owners of one description
   * exclude each other, and one that waits for a lock that the other holds waits until that one
   * releases it.
   *
   * @param description what logs call it; need not be unique
   */
  public static LockOwner unique(String description) {
    return new LockOwner(description);
  }

  @Override
  public String toString() {
    return description;
  }
}
