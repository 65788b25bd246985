package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.acquire.LockEntry;
import dev.leasehold.lock.internal.acquire.LockTable;
import dev.leasehold.lock.internal.acquire.Waiter;
import dev.leasehold.lock.internal.acquire.Waiter.Patience;
import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.LockNames;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.Tokens;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.lease.AcquireSpec;
import dev.leasehold.lock.internal.name.Sharing;
import dev.leasehold.lock.internal.threads.Waits;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A name and options: the ways to acquire it, blocking, timed and asynchronous. All state is in the
 * name's {@link LockEntry}.
 *
 * @param shares makes the specification of an owner's request; may refuse by throwing
 * @param explicitOwner the owner; null for the calling thread, or for a new owner per asynchronous
 *     call
 */
public record NamedLock(
    LockTable table,
    String name,
    LockOptions options,
    Function<Object, AcquireSpec> shares,
    @Nullable LockOwner explicitOwner)
    implements DistributedLock {

  /** Creates one of a kind of which every owner requests the whole lock. */
  public static NamedLock of(LockTable table, String name, LockOptions options) {
    return new NamedLock(table, name, options, any -> table.whole(), null);
  }

  /** Returns whether other owners may hold it at the same time. */
  public boolean isShared() {
    return table.sharing() != Sharing.ONE;
  }

  /** Describes what is acquired, for messages. */
  public String words() {
    return table.services().kind().named(name);
  }

  @Override
  public NamedLock as(LockOwner owner) {
    Objects.requireNonNull(owner, "owner");
    return new NamedLock(table, name, options, shares, owner);
  }

  /** Owned by the calling thread, whatever owner was named. */
  @Override
  public Lock asLock() {
    return new LockView(new NamedLock(table, name, options, shares, null));
  }

  @Override
  public int holdCount() {
    return table.holdCount(name, blockingOwner());
  }

  @Override
  public Lease acquire() throws InterruptedException {
    Waits.checkInterrupt();
    Lease joined = join();
    return joined != null
        ? joined
        : await(blocking(Patience.UNBOUNDED, caller()), null, Duration.ZERO)
            .orElseThrow(NamedLock::noOutcome);
  }

  @Override
  public Lease acquireUninterruptibly() {
    Lease joined = join();
    return joined != null
        ? joined
        : join(blocking(Patience.UNBOUNDED, caller())).orElseThrow(NamedLock::noOutcome);
  }

  private static IllegalStateException noOutcome() {
    return new IllegalStateException("an unbounded wait ended empty");
  }

  @Override
  public Optional<Lease> tryAcquire() {
    Lease joined = join();
    return joined != null ? Optional.of(joined) : join(blocking(Patience.NONE, caller()));
  }

  /**
   * Tries to acquire like {@link #tryAcquire()}, for the same owner, without blocking on the store.
   * Canceling the future ends the acquisition; a lease that is granted nevertheless is released.
   */
  public CompletableFuture<Optional<Lease>> ask() {
    Lease joined = join();
    return joined != null
        ? CompletableFuture.completedFuture(Optional.of(joined))
        : async(
            blocking(Patience.NONE, null), Optional.empty(), Function.identity(), Runnable::run);
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    return tryAcquire(wait, wait);
  }

  /**
   * Tries to acquire like {@link #tryAcquire(Duration)}, but waits at least for the first answer,
   * within the command time-out.
   */
  public Optional<Lease> tryAcquireOnce(Duration wait) throws InterruptedException {
    Duration timeout = calls().timeout();
    return tryAcquire(wait, wait.compareTo(timeout) < 0 ? timeout : wait);
  }

  private Optional<Lease> tryAcquire(Duration wait, Duration forFirst) throws InterruptedException {
    LockNames.checkWait(wait);
    Waits.checkInterrupt();
    Lease joined = join();
    if (joined != null) {
      return Optional.of(joined);
    }
    if (wait.isZero()) {
      return await(blocking(Patience.NONE, caller()), null, Duration.ZERO);
    }
    // A call to the store may take as long as the command time-out.
    CallerThread caller = wait.compareTo(calls().timeout()) < 0 ? null : caller();
    return await(blocking(Patience.TIMED, caller), wait, forFirst);
  }

  private Object blockingOwner() {
    return explicitOwner == null ? Thread.currentThread() : explicitOwner;
  }

  private @Nullable Lease join() {
    return table.join(name, blockingOwner(), options);
  }

  private StoreCalls calls() {
    return table.store().calls();
  }

  private @Nullable CallerThread caller() {
    return calls().callers().here();
  }

  private Waiter blocking(Patience patience, @Nullable CallerThread caller) {
    boolean entered = false;
    try {
      Waiter waiter = enter(blockingOwner(), patience, caller);
      entered = true;
      return waiter;
    } finally {
      if (!entered && caller != null) {
        caller.leave();
      }
    }
  }

  private Waiter enter(Object owner, Patience patience, @Nullable CallerThread caller) {
    AcquireSpec spec = shares.apply(owner);
    return table.enter(name, owner, options, spec, patience, spec.store()::acquire, caller);
  }

  private static Optional<Lease> join(Waiter waiter) {
    try {
      waiter.callTheStore(null);
      return Waits.join(waiter.outcome);
    } finally {
      waiter.recorded();
    }
  }

  /**
   * Waits for the outcome.
   *
   * @param most the longest wait; null for an acquisition that ends by itself
   * @param forFirst the longest wait for the first answer; not used without {@code most}
   */
  private static Optional<Lease> await(Waiter waiter, @Nullable Duration most, Duration forFirst)
      throws InterruptedException {
    try {
      waiter.callTheStore(() -> interrupted(waiter));
      return most == null
          ? waiter.await(null)
          : waiter.await(waiter.left(most), () -> longer(waiter, most, forFirst));
    } finally {
      waiter.recorded();
    }
  }

  /** Returns how much longer an acquisition waits that has no answer when its time is up. */
  private static Duration longer(Waiter waiter, Duration most, Duration forFirst) {
    return forFirst.equals(most) || !waiter.stillWaitsForAnswer()
        ? Duration.ZERO
        : forFirst.minus(most);
  }

  /**
   * Handles an interrupt of the thread during its store call. The acquisition ends here even if the
   * store's client consumes the interrupt, because nothing else would end its wait.
   */
  private static void interrupted(Waiter waiter) {
    if (waiter.leave()) {
      waiter.outcome.completeExceptionally(new InterruptedException());
    }
  }

  @Override
  public CompletableFuture<Lease> acquireAsync() {
    return async(
        Patience.UNBOUNDED, Optional.empty(), found -> found.orElseThrow(NamedLock::noOutcome));
  }

  @Override
  public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
    LockNames.checkWait(wait);
    return wait.isZero()
        ? async(Patience.NONE, Optional.empty(), Function.identity())
        : async(Patience.TIMED, Optional.of(wait), Function.identity());
  }

  private <T> CompletableFuture<T> async(
      Patience patience, Optional<Duration> wait, Function<Optional<Lease>, T> shape) {
    Object owner = explicitOwner == null ? new Object() : explicitOwner;
    try {
      return async(enter(owner, patience, null), wait, shape, table.services().events()::run);
    } catch (LockException | IllegalMonitorStateException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private <T> CompletableFuture<T> async(
      Waiter waiter,
      Optional<Duration> wait,
      Function<Optional<Lease>, T> shape,
      Executor delivering) {
    waiter.outcome.whenComplete((found, failure) -> waiter.recorded());
    return waiter.async(wait, table.services().time(), delivering, shape, NamedLock::giveBack);
  }

  /** Releases an unused lease. May be called twice. */
  private static void giveBack(Optional<Lease> unused) {
    unused.ifPresent(lease -> ((LeaseHandle) lease).giveBackUnused());
  }

  @Override
  public Optional<HolderInfo> inspect() {
    table.services().checkOpen();
    return Waits.join(table.store().inspect(name))
        .map(
            stored ->
                new HolderInfo(
                    name, Tokens.shown(stored.token()), stored.remaining(), stored.fence()));
  }

  /** The {@code shares} need not be compared: they follow from the table. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NamedLock that
        && table == that.table
        && name.equals(that.name)
        && options.equals(that.options)
        && explicitOwner == that.explicitOwner;
  }

  @Override
  public int hashCode() {
    return 31 * System.identityHashCode(table) + name.hashCode();
  }

  @Override
  public String toString() {
    return "DistributedLock[" + words() + "]";
  }
}
