package dev.leasehold.lock;

import java.util.Objects;

/**
 * An explicit owner of locks, for work that hops threads: acquisitions through {@link
 * DistributedLock#as} with the same object re-enter. Compared by identity, never by its text.
 */
public final class LockOwner {
  private final String description;

  private LockOwner(String description) {
    this.description = Objects.requireNonNull(description, "description");
  }

  /** A new owner, distinct from all others; the text is for logs. */
  public static LockOwner named(String description) {
    return new LockOwner(description);
  }

  @Override
  public String toString() {
    return description;
  }
}
