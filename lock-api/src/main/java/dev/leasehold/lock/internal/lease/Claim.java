package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.name.AcquisitionNotifier;
import org.jspecify.annotations.Nullable;

/**
 * Who asks for a lease, and for what: all that a hold learns of the acquisition that it begins
 * with.
 */
public abstract class Claim {
  /** A thread, a {@link dev.leasehold.lock.LockOwner}, or nobody else's object. By identity. */
  public final Object owner;

  public final LockOptions options;
  public final AcquireSpec spec;
  public final long arrived;

  /** Where it was asked for, if that is recorded. */
  public final @Nullable Throwable origin;

  /** Who is told what becomes of it. */
  public final AcquisitionNotifier notifier;

  /**
   * Whether since it came the store said "held" to it, or to one that asks for it, or another owner
   * of this process held the lock; guarded by the name's mutex.
   */
  public boolean sawHolder;

  /**
   * @param origin where it was asked for; null if that is not recorded
   */
  public Claim(
      Object owner,
      LockOptions options,
      AcquireSpec spec,
      long arrived,
      @Nullable Throwable origin,
      AcquisitionNotifier notifier) {
    this.owner = owner;
    this.options = options;
    this.spec = spec;
    this.arrived = arrived;
    this.origin = origin;
    this.notifier = notifier;
  }
}
