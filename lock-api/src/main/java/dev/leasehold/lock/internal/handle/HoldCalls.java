package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.CallerThreads;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.hold.Hold;
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.hold.Successors;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The operations of handles and views on a name's holds. Each is one step under the mutex, unless
 * it can avoid the mutex. The subclass has the name's waiters, so that a name has one object for
 * both.
 */
public abstract class HoldCalls implements Successors, Monitor.Owner {
  protected final Monitor monitor;
  protected final Holds holds;

  protected HoldCalls(String name, KindServices services, Renewals renewals) {
    this.monitor = new Monitor(name, services, this);
    this.holds = new Holds(monitor, renewals, this);
  }

  /** Returns the threads that may make the call of a release. */
  public CallerThreads callers() {
    return monitor.services().operations().calls().callers();
  }

  /**
   * Releases an entry.
   *
   * @param strategy how its lease is released on the store; null for a call of its own
   */
  public CompletableFuture<Void> release(HoldEntry entry, @Nullable ReleaseStrategy strategy) {
    return switch (holds.leave(entry.hold)) {
      case LEFT -> Holds.LEFT;
      case LEFT_AS_LAST -> leftAsLast(entry, strategy);
      case NOT_JOINED -> releaseNow(entry, strategy);
    };
  }

  private CompletableFuture<Void> releaseNow(HoldEntry entry, @Nullable ReleaseStrategy strategy) {
    boolean begun = monitor.begin();
    try {
      entry.hold.used();
      return holds.release(entry, strategy);
    } finally {
      if (begun) {
        monitor.end();
      }
    }
  }

  /**
   * Completes the release of a joined hold that was left without the mutex, and seemed to be the
   * last over its lease.
   */
  public CompletableFuture<Void> leftAsLast(HoldEntry entry, @Nullable ReleaseStrategy strategy) {
    return monitor.computed(() -> holds.releases().left(entry, strategy));
  }

  /**
   * Releases an entry that was not used. The minimum hold is waived if this is the hold's only
   * entry and none was used before.
   */
  public CompletableFuture<Void> releaseUnused(
      HoldEntry entry, @Nullable ReleaseStrategy strategy) {
    return monitor.computed(
        () -> {
          if (!entry.isLeft() && entry.hold.count() == 1 && !entry.hold.wasUsed()) {
            entry.hold.remote.forgetMinimum();
          }
          return holds.release(entry, strategy);
        });
  }

  /** Releases some of a lease's permits on the store, while the lease keeps the others. */
  public CompletableFuture<Void> shrink(HoldEntry entry, int permits) {
    CompletableFuture<Void> result = new CompletableFuture<>();
    return monitor.computed(() -> shrink(entry, permits, result));
  }

  private CompletableFuture<Void> shrink(
      HoldEntry entry, int permits, CompletableFuture<Void> result) {
    RemoteLease lease = entry.hold.remote;
    int held = lease.permits();
    if (!entry.isValid()) {
      monitor.after(() -> result.completeExceptionally(new LeaseLostException(whyInvalid(entry))));
    } else if (permits > held) {
      monitor.after(() -> result.completeExceptionally(tooMany(permits, held)));
    } else if (permits == held) {
      return holds.release(entry, null);
    } else {
      lease.keepPermits(held - permits); // first: another partial release may come meanwhile
      PermitStore store = (PermitStore) monitor.services().whole();
      monitor.after(
          () ->
              monitor.onAnswer(
                  lease.shrink(store),
                  (answer, failure) -> shrunk(entry, permits, result, answer, failure)));
    }
    return result;
  }

  private void shrunk(
      HoldEntry entry,
      int permits,
      CompletableFuture<Void> result,
      @Nullable ReleaseResult answer,
      @Nullable LockException failure) {
    if (failure != null) {
      if (!(failure instanceof LockConfigurationException)) {
        monitor.troubled(failure, monitor.now());
      } else { // nothing was changed
        RemoteLease lease = entry.hold.remote;
        lease.keepPermits(lease.permits() + permits);
      }
      monitor.after(() -> result.completeExceptionally(failure));
      return;
    }
    monitor.answered();
    if (answer == ReleaseResult.NOT_OWNER && entry.hold.isHeld()) {
      holds.lose(
          entry.hold, Reason.NOT_OWNER, "the store no longer had it when permits were released");
    }
    monitor.after(
        () -> {
          if (answer == ReleaseResult.NOT_OWNER) {
            result.completeExceptionally(new LeaseLostException(whyInvalid(entry)));
          } else {
            result.complete(null);
          }
        });
  }

  IllegalArgumentException tooMany(int permits, int held) {
    return new IllegalArgumentException(
        permits
            + " permits to release of a lease of "
            + monitor.kind().named(monitor.name())
            + ", which holds "
            + held
            + ": allowed are 1 to "
            + held);
  }

  CompletableFuture<Boolean> extend(HoldEntry entry, Duration lease) {
    monitor.services().whole().checkLongest("a lease", lease);
    Hold hold = entry.hold;
    if (!entry.isValid()) {
      return CompletableFuture.completedFuture(false);
    }
    return hold.deadline() - monitor.now() >= lease.toNanos()
        ? CompletableFuture.completedFuture(true)
        : prolong(hold, LeaseTimes.ttlFor(lease));
  }

  /**
   * Extends the lease to at least this time to live on the store. The result is true if the hold
   * then has it.
   */
  CompletableFuture<Boolean> prolong(Hold hold, Duration ttl) {
    return monitor.computed(() -> holds.extension().prolong(hold, ttl));
  }

  /**
   * Extends a lease for a re-entry.
   *
   * @param then receives, under the mutex, the reason of a failure; null after a success
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
   * Raises the fencing token of an entry to a number that the store has confirmed. If its owner has
   * another handle, which may have shown its token, it stays unchanged: both must have the same
   * token, or the resource that the lease protects would refuse one of them.
   */
  void raise(HoldEntry entry, long number) {
    monitor.locked(
        () -> {
          if (!entry.isLeft() && entry.hold.count() == 1) {
            entry.raise(number);
          }
        });
  }

  /** Lets the lease expire at its deadline if this is the only entry. */
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

  /** Returns the reason why a handle is not valid. */
  LeaseLoss whyInvalid(HoldEntry entry) {
    return monitor.computed(() -> holds.whyInvalid(entry));
  }

  /** Returns how many handles an owner has on a hold that is not lost; zero if it has none. */
  public int countOf(Object owner) {
    return monitor.computed(
        () -> {
          Hold hold = holds.here(owner);
          return hold == null ? 0 : hold.count();
        });
  }

  /**
   * Returns the key of an owner's lease, if it has one. Another lease may be granted beside it from
   * now on, so it is not handed over any more: both happen in one step under the mutex.
   */
  public Optional<LeaseKey> standBeside(Object owner) {
    return monitor.computed(
        () -> Optional.ofNullable(holds.here(owner)).map(hold -> hold.remote.standBeside()));
  }

  /** Returns the latest entry that a thread made through a view; null if it has none. */
  @Nullable
  public HoldEntry viewed(Thread thread) {
    HoldEntry joined = holds.viewed(thread);
    return joined != null
        ? joined
        : monitor
            .computed(() -> Optional.ofNullable(holds.of(thread)).map(Hold::latestViewed))
            .orElse(null);
  }

  /** Returns a hold that existed when the manager was closed, and is not released yet. */
  public Optional<Hold> unreleased() {
    return monitor.computed(holds::unreleased);
  }

  /** Returns a separate future whose dependents run on the executor. */
  <T> CompletableFuture<T> onExecutor(CompletableFuture<T> inner) {
    return monitor.services().events().handOut(inner);
  }
}
