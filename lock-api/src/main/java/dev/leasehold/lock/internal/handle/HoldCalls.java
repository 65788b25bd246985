package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.CallerThreads;
import dev.leasehold.lock.internal.calls.Drift;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.hold.Hold;
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What handles and views ask of a name's holds: each call is a turn of the cell. */
public final class HoldCalls {
  private static final CompletableFuture<Void> LEFT = CompletableFuture.completedFuture(null);

  private final Monitor monitor;
  private final Holds holds;
  private final LeaseStore store;
  private final CallerThreads callers;
  private final Events events;

  /**
   * Of a name.
   *
   * @param store the whole one, of which the kind of the name is a view
   * @param callers who may make the call of a release
   */
  public HoldCalls(
      Monitor monitor, Holds holds, LeaseStore store, CallerThreads callers, Events events) {
    this.monitor = monitor;
    this.holds = holds;
    this.store = store;
    this.callers = callers;
    this.events = events;
  }

  /** Those whose thread may make the call of a release. */
  public CallerThreads callers() {
    return callers;
  }

  public CompletableFuture<Void> release(HoldEntry entry) {
    return switch (holds.sharedLeases().leave(entry.hold)) {
      case LEFT -> LEFT;
      case LEFT_AS_LAST -> leftAsLast(entry);
      case NOT_JOINED ->
          monitor.computed(
              () -> {
                entry.hold.used();
                return holds.release(entry);
              });
    };
  }

  /** A joined hold was left past the mutex, and nobody was seen who is over its lease as well. */
  public CompletableFuture<Void> leftAsLast(HoldEntry entry) {
    return monitor.computed(() -> holds.releases().left(entry));
  }

  /** Without a minimum hold: nobody came to use it. */
  public CompletableFuture<Void> releaseUnused(HoldEntry entry) {
    return monitor.computed(
        () -> {
          if (!entry.isLeft() && entry.hold.count() == 1 && !entry.hold.wasUsed()) {
            entry.hold.remote.forgetMinimum();
          }
          return holds.release(entry);
        });
  }

  /** Gives some of a lease's permits back. */
  public CompletableFuture<Void> shrink(HoldEntry entry, int permits) {
    return monitor.computed(
        () -> new PartialRelease(monitor, holds, (PermitStore) store, entry, permits).begin());
  }

  CompletableFuture<Boolean> extend(HoldEntry entry, Duration lease) {
    store.checkLongest("a lease", lease);
    Hold hold = entry.hold;
    if (!entry.isValid()) {
      return CompletableFuture.completedFuture(false);
    }
    return hold.deadline() - monitor.now() >= lease.toNanos()
        ? CompletableFuture.completedFuture(true)
        : prolong(hold, Drift.ttlFor(lease));
  }

  /** Asks for at least this time to live on the store; true if the hold now has it. */
  CompletableFuture<Boolean> prolong(Hold hold, Duration ttl) {
    return monitor.computed(() -> holds.extension().prolong(hold, ttl));
  }

  /**
   * Has a lease grow for a re-entry.
   *
   * @param then is told, under the mutex, why it did not grow; null if it did
   */
  public void grow(HoldEntry entry, Duration wanted, Consumer<@Nullable LockException> then) {
    monitor.onAnswer(
        prolong(entry.hold, wanted),
        (grown, failure) ->
            then.accept(
                failure == null && !Boolean.TRUE.equals(grown)
                    ? new LeaseLostException(holds.whyInvalid(entry))
                    : failure));
  }

  /**
   * The store has made the fence of its lease so large. Where its owner holds by another handle as
   * well, which has shown its token, it stays as it is: both must go on to be of one size, or what
   * the lease protects would refuse the other.
   */
  void raise(HoldEntry entry, long number) {
    monitor.locked(
        () -> {
          if (!entry.isLeft() && entry.hold.count() == 1) {
            entry.raise(number);
          }
        });
  }

  /** Leaves the lease to its deadline if this is the only entry. */
  void letExpire(HoldEntry entry) {
    monitor.locked(
        () -> {
          if (!entry.isLeft() && entry.hold.count() == 1) {
            holds.letExpire(entry.hold);
          }
        });
  }

  int count(Hold hold) {
    return monitor.computed(hold::count);
  }

  CompletableFuture<LeaseLoss> lossOf(HoldEntry entry) {
    return monitor.computed(
        () -> {
          CompletableFuture<LeaseLoss> signal = entry.signal();
          LeaseLoss loss = entry.hold.loss();
          if (loss != null && !entry.isLeft()) {
            monitor.callBack(() -> signal.complete(loss));
          }
          return signal;
        });
  }

  /** Why a handle that is not valid is not. */
  LeaseLoss whyInvalid(HoldEntry entry) {
    return monitor.computed(() -> holds.whyInvalid(entry));
  }

  /** How many handles an owner has on a hold that is not lost; zero if it has none. */
  public int countOf(Object owner) {
    return monitor.computed(
        () -> {
          Hold hold = holds.here(owner);
          return hold == null ? 0 : hold.count();
        });
  }

  /**
   * The key of the lease that an owner holds by, if it does. From now on another lease may stand
   * beside it, so that it is handed over no more: hence in one turn.
   */
  public Optional<LeaseKey> standBeside(Object owner) {
    return monitor.computed(
        () -> Optional.ofNullable(holds.here(owner)).map(hold -> hold.remote.standBeside()));
  }

  /** The latest entry that a thread made through a view; null if it has none. */
  @Nullable
  public HoldEntry viewed(Thread thread) {
    HoldEntry joined = holds.sharedLeases().viewed(thread);
    return joined != null
        ? joined
        : monitor
            .computed(() -> Optional.ofNullable(holds.of(thread)).map(Hold::latestViewed))
            .orElse(null);
  }

  /** What was held when the manager was closed, and is not released yet. */
  public Optional<Hold> unreleased() {
    return monitor.computed(() -> holds.lostHolds().unreleased());
  }

  /** A future of its own whose dependents run on the executor. */
  <T> CompletableFuture<T> onExecutor(CompletableFuture<T> inner) {
    return events.handOut(inner);
  }
}
