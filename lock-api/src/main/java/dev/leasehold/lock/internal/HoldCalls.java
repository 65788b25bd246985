package dev.leasehold.lock.internal;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What handles and views ask of a name's holds: each call is a turn of the cell. */
final class HoldCalls {
  private final LockCell cell;
  private final Timing time;
  private final Events events;

  HoldCalls(LockCell cell, Timing time, Events events) {
    this.cell = cell;
    this.time = time;
    this.events = events;
  }

  CompletableFuture<Void> release(Entry entry) {
    CompletableFuture<Void> left = cell.holds().joining().leave(entry);
    return left != null
        ? left
        : cell.computed(
            () -> {
              entry.hold.used();
              return cell.holds().release(entry);
            });
  }

  /** Without a minimum hold: nobody came to use it. */
  CompletableFuture<Void> releaseUnused(Entry entry) {
    return cell.computed(
        () -> {
          if (!entry.isLeft() && entry.hold.count() == 1 && !entry.hold.wasUsed()) {
            entry.hold.remote.forgetMinimum();
          }
          return cell.holds().release(entry);
        });
  }

  /** Gives some of a lease's permits back. */
  CompletableFuture<Void> shrink(Entry entry, int permits) {
    return cell.computed(
        () -> new PartialRelease(cell, time, cell.permitStore(), entry, permits).begin());
  }

  CompletableFuture<Boolean> extend(Entry entry, Duration lease) {
    Hold hold = entry.hold;
    if (!entry.isValid()) {
      return CompletableFuture.completedFuture(false);
    }
    return hold.deadline() - time.now() >= lease.toNanos()
        ? CompletableFuture.completedFuture(true)
        : prolong(hold, Drift.ttlFor(lease));
  }

  /** Asks for at least this time to live on the store; true if the hold now has it. */
  CompletableFuture<Boolean> prolong(Hold hold, Duration ttl) {
    return cell.computed(() -> cell.holds().prolonging().prolong(hold, ttl));
  }

  /** Has a lease grow for a re-entry, and decides that one's outcome. */
  void grow(Acquisition acquisition, LeaseHandle handle, Duration wanted) {
    cell.onAnswer(
        prolong(handle.entry().hold, wanted),
        (grown, failure) -> {
          if (failure == null && Boolean.TRUE.equals(grown)) {
            cell.waiters().decide(acquisition, Decision.has(Outcome.REENTERED, handle));
          } else {
            cell.waiters()
                .failed(
                    acquisition,
                    failure == null ? new LeaseLostException(whyInvalid(handle.entry())) : failure);
          }
        });
  }

  /**
   * The store has made the fence of its lease so large. Where its owner holds by another handle as
   * well, which has shown its token, it stays as it is: both must go on to be of one size, or what
   * the lease protects would refuse the other.
   */
  void raise(Entry entry, long number) {
    cell.locked(
        () -> {
          if (!entry.isLeft() && entry.hold.count() == 1) {
            entry.raise(number);
          }
        });
  }

  /** Leaves the lease to its deadline if this is the only entry. */
  void letExpire(Entry entry) {
    cell.locked(
        () -> {
          if (!entry.isLeft() && entry.hold.count() == 1) {
            cell.holds().letExpire(entry.hold);
          }
        });
  }

  int count(Hold hold) {
    return cell.computed(hold::count);
  }

  CompletableFuture<LeaseLoss> lossOf(Entry entry) {
    return cell.computed(
        () -> {
          CompletableFuture<LeaseLoss> signal = entry.signal();
          LeaseLoss loss = entry.hold.loss();
          if (loss != null && !entry.isLeft()) {
            cell.callBack(() -> signal.complete(loss));
          }
          return signal;
        });
  }

  /** Why a handle that is not valid is not. */
  LeaseLoss whyInvalid(Entry entry) {
    return cell.computed(
        () -> {
          cell.holds().expireIfPast();
          LeaseLoss loss = entry.hold.loss();
          return loss != null
              ? loss
              : new LeaseLoss(
                  cell.kind(),
                  cell.name(),
                  LeaseLoss.Reason.NOT_OWNER,
                  "this handle was released before");
        });
  }

  /** How many handles an owner has on a hold that is not lost; zero if it has none. */
  int countOf(Object owner) {
    return cell.computed(
        () -> {
          Hold hold = cell.holds().here(owner);
          return hold == null ? 0 : hold.count();
        });
  }

  /**
   * The key of the lease that an owner holds by, if it does. From now on another lease may stand
   * beside it, so that it is handed over no more: hence in one turn.
   */
  Optional<LeaseKey> standBeside(Object owner) {
    return cell.computed(
        () -> Optional.ofNullable(cell.holds().here(owner)).map(hold -> hold.remote.standBeside()));
  }

  /** The latest entry that a thread made through a view. */
  Optional<Entry> viewed(Thread thread) {
    return cell.computed(
        () -> Optional.ofNullable(cell.holds().of(thread)).map(Hold::latestViewed));
  }

  /** What was held when the manager was closed, and is not released yet. */
  Optional<Hold> unreleased() {
    return cell.computed(() -> cell.holds().lostHolds().unreleased());
  }

  /** Whether there are lost holds that somebody can still release. */
  boolean hasLostHolds() {
    return cell.computed(() -> cell.holds().lostHolds().anyInReach());
  }

  /** A future of its own whose dependents run on the executor. */
  <T> CompletableFuture<T> onExecutor(CompletableFuture<T> inner) {
    return events.handOut(inner);
  }
}
