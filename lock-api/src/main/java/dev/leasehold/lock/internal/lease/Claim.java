package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.name.Observers;

/** An owner's request for a lease: all that a hold needs from the acquisition that begins it. */
public abstract class Claim {
  /**
   * A thread, a {@link dev.leasehold.lock.LockOwner}, or an object made for one asynchronous call.
   * Compared by identity.
   */
  public final Object owner;

  public final LockOptions options;
  public final AcquireSpec spec;
  public final long arrived;

  public final Observers observers;

  /**
   * Whether, since it came, the store has answered "held" to it or to a waiter that asks for it, or
   * another owner of this process has held the lock; guarded by the name's mutex.
   */
  public boolean sawHolder;

  /** Creates a claim that has not seen a holder. */
  public Claim(
      Object owner, LockOptions options, AcquireSpec spec, long arrived, Observers observers) {
    this.owner = owner;
    this.options = options;
    this.spec = spec;
    this.arrived = arrived;
    this.observers = observers;
  }
}
