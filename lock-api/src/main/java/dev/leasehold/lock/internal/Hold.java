package dev.leasehold.lock.internal;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Renewal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One owner's hold over a remote lease, shared by its handles. Written under the cell's mutex; what
 * handles read without it is volatile.
 */
final class Hold {

  /** Where it stands; see the package's picture. */
  enum State {
    HELD,
    RELEASED,
    LOST
  }

  final LockCell cell;
  final RemoteLease remote;
  final LockOptions options;
  final OptionalLong fencingToken;
  final long begun;

  /** Handles not released. */
  final List<LeaseHandle> handles = new ArrayList<>(1);

  /** Handles taken through the lock view, latest first. */
  final ArrayDeque<LeaseHandle> viewed = new ArrayDeque<>(0);

  private volatile State state = State.HELD;
  private volatile long ownDeadline;
  private volatile @Nullable LeaseLoss loss;
  private @Nullable Object owner;

  /** Set when a close waits for the last handle. */
  @Nullable CompletableFuture<Void> unwound;

  Hold(LockCell cell, RemoteLease remote, Waiter waiter, long begun, long ownDeadline) {
    this.cell = cell;
    this.remote = remote;
    this.owner = waiter.owner;
    this.options = waiter.options;
    this.fencingToken = remote.fencingToken();
    this.begun = begun;
    this.ownDeadline = ownDeadline;
  }

  boolean isAutomatic() {
    return options.renewal() == Renewal.AUTOMATIC;
  }

  boolean isOwnedBy(Object candidate) {
    return owner == candidate;
  }

  @Nullable Object owner() {
    return owner;
  }

  State state() {
    return state;
  }

  @Nullable LeaseLoss loss() {
    return loss;
  }

  /** The remote lease's deadline, and for a fixed lease its own, which nothing moves silently. */
  long deadline() {
    long shared = remote.deadline();
    return isAutomatic() || ownDeadline - shared > 0 ? shared : ownDeadline;
  }

  /** An extension that was asked for is confirmed: also a fixed lease lasts until then. */
  void extended(long deadline) {
    if (deadline - ownDeadline > 0) {
      ownDeadline = deadline;
    }
  }

  void release() {
    state = State.RELEASED;
  }

  void lose(LeaseLoss how) {
    loss = how; // before the state, which readers check first
    state = State.LOST;
    owner = null; // so that a map with weak keys may forget an owner that is gone
  }

  LeaseHandle enter() {
    LeaseHandle handle = new LeaseHandle(this);
    handles.add(handle);
    return handle;
  }
}
