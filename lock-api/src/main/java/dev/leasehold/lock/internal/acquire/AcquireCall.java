package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.acquire.Waiter.Patience;
import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.LockNames;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.lease.AcquireSpec;
import dev.leasehold.lock.internal.threads.Waits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ways to acquire a name: blocking, timed, asynchronous. They are the same for every kind.
 *
 * @param shares makes the specification of an owner's request; may refuse by throwing
 * @param explicitOwner the owner; null for the calling thread, or for a new owner per asynchronous
 *     call
 */
public record AcquireCall(
    LockTable table,
    String name,
    LockOptions options,
    Function<Object, AcquireSpec> shares,
    @Nullable LockOwner explicitOwner) {

  /** Creates the call of a kind of which every owner requests the whole lock. */
  public static AcquireCall of(LockTable table, String name, LockOptions options) {
    return new AcquireCall(table, name, options, any -> table.whole(), null);
  }

  public AcquireCall as(@Nullable LockOwner owner) {
    return new AcquireCall(table, name, options, shares, owner);
  }

  /** Describes what is acquired, for messages. */
  public String words() {
    return table.services().kind().named(name);
  }

  /** Returns how many handles the owner has on a valid hold. */
  public int holdCount() {
    return table.holdCount(name, blockingOwner());
  }

  /**
   * Returns whether both acquire the same thing. {@code shares} need not be compared: it follows
   * from the table.
   */
  public boolean isAs(AcquireCall other) {
    return table == other.table
        && name.equals(other.name)
        && options.equals(other.options)
        && explicitOwner == other.explicitOwner;
  }

  public int hash() {
    return 31 * System.identityHashCode(table) + name.hashCode();
  }

  public Lease acquire() throws InterruptedException {
    checkInterrupt();
    Lease joined = join();
    return joined != null
        ? joined
        : await(blocking(Patience.UNBOUNDED, caller()), null, Duration.ZERO)
            .orElseThrow(AcquireCall::noOutcome);
  }

  /** Acquires like {@link #acquire()}, but keeps an interrupt for later. */
  public Lease acquireUninterruptibly() {
    Lease joined = join();
    return joined != null
        ? joined
        : join(blocking(Patience.UNBOUNDED, caller())).orElseThrow(AcquireCall::noOutcome);
  }

  private static IllegalStateException noOutcome() {
    return new IllegalStateException("an unbounded wait ended empty");
  }

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
    checkInterrupt();
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

  private static void checkInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
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
      callTheStore(waiter, null);
      return Waits.join(waiter.outcome);
    } finally {
      waiter.recorded();
    }
  }

  /** Makes the store call that was offered to this thread, if any. */
  private static void callTheStore(Waiter waiter, @Nullable Runnable onInterrupt) {
    CallerThread caller = waiter.caller;
    if (caller != null) {
      caller.run(waiter.outcome, onInterrupt);
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
      callTheStore(waiter, () -> interrupted(waiter));
      return most == null
          ? waiter.await(null)
          : waiter.await(left(most, waiter), () -> longer(waiter, most, forFirst));
    } finally {
      waiter.recorded();
    }
  }

  /** Returns how much longer an acquisition waits that has no answer when its time is up. */
  private static Duration longer(Waiter waiter, Duration most, Duration forFirst) {
    return forFirst.equals(most) || !waiter.entry.endsAtAnswer(waiter)
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

  /**
   * Returns what is left of a wait, of which the thread may have spent a part in its store call.
   */
  private static Duration left(Duration wait, Waiter waiter) {
    return waiter.caller == null
        ? wait
        : wait.minusNanos(Math.max(0, waiter.entry.now() - waiter.arrived));
  }

  public CompletableFuture<Lease> acquireAsync() {
    return async(
        Patience.UNBOUNDED, Optional.empty(), found -> found.orElseThrow(AcquireCall::noOutcome));
  }

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
    return waiter.async(wait, table.services().time(), delivering, shape, AcquireCall::giveBack);
  }

  /** Releases an unused lease. May be called twice. */
  private static void giveBack(Optional<Lease> unused) {
    unused.ifPresent(lease -> ((LeaseHandle) lease).giveBackUnused());
  }
}
