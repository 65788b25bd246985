package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockOptions;
import org.jspecify.annotations.Nullable;

/**
 * Who asks for a lease, and for what: all that a hold learns of the acquisition that it begins
 * with.
 */
abstract class Claim {
  /** A thread, a {@link dev.leasehold.lock.LockOwner}, or nobody else's object. By identity. */
  final Object owner;

  final LockOptions options;
  final Share share;
  final long arrived;

  /** Where it was asked for, if that is recorded. */
  final @Nullable Throwable origin;

  /** Who is told what becomes of it. */
  final Trail trail;

  /**
   * Whether since it came the store said "held" to it, or to one that asks for it, or another owner
   * of this process held the lock; guarded by the name's mutex.
   */
  boolean sawHolder;

  /**
   * @param origin where it was asked for; null if that is not recorded
   */
  Claim(
      Object owner,
      LockOptions options,
      Share share,
      long arrived,
      @Nullable Throwable origin,
      Trail trail) {
    this.owner = owner;
    this.options = options;
    this.share = share;
    this.arrived = arrived;
    this.origin = origin;
    this.trail = trail;
  }
}
