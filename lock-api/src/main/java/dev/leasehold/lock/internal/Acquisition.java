package dev.leasehold.lock.internal;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One acquisition, from the call to its outcome. */
final class Acquisition {

  /** How long it waits. */
  enum Patience {
    /** It asks once. */
    NONE,
    /** Its caller calls {@link LockCell#timeUp} in time. */
    TIMED,
    /** Until it is granted, or the store is out of reach for the store time-out. */
    UNBOUNDED
  }

  /** A thread, a {@link dev.leasehold.lock.LockOwner}, or nobody else's object. By identity. */
  final Object owner;

  final LockOptions options;
  final Share share;
  final Patience patience;
  final long arrived;

  /** Where it was asked for, if that is recorded. */
  final @Nullable Throwable origin;

  /** Completed once, outside the cell's mutex, by whoever took {@link #settle}. */
  final CompletableFuture<Optional<Lease>> outcome = new CompletableFuture<>();

  /** Its contention on the store; guarded by the cell. */
  final Attempt attempt;

  /**
   * The handle of a re-entry that waits for its lease to grow, and that is given back if it leaves;
   * guarded by the cell.
   */
  @Nullable LeaseHandle growing;

  /** Whether others of this process had or wanted the lock when it came; guarded by the cell. */
  boolean queued;

  private boolean settled;

  /**
   * @param origin where it was asked for; null if that is not recorded
   */
  Acquisition(
      Object owner,
      LockOptions options,
      Share share,
      Patience patience,
      long arrived,
      @Nullable Throwable origin,
      Function<Acquisition, Attempt> contending) {
    this.owner = owner;
    this.options = options;
    this.share = share;
    this.patience = patience;
    this.arrived = arrived;
    this.origin = origin;
    this.attempt = contending.apply(this);
  }

  boolean waits() {
    return patience != Patience.NONE;
  }

  /** Whether the outcome is decided; guarded by the cell. */
  boolean isSettled() {
    return settled;
  }

  /** Whether it needs no lease of its own any more; guarded by the cell. */
  boolean isServed() {
    return settled || growing != null;
  }

  /** Decides the outcome: true for one caller only. Guarded by the cell. */
  boolean settle() {
    boolean first = !settled;
    settled = true;
    return first;
  }

  void fail(LockException failure) {
    outcome.completeExceptionally(failure);
  }
}
