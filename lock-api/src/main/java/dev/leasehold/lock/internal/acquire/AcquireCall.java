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

  public AcquireCall as(@Nullable LockOwner owner) {
    return new AcquireCall(table, name, options, shares, owner);
  }

  /** Describes what is acquired, for messages. */
  public String words() {
    return table.kind().named(name);
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
        : await(blocking(Patience.UNBOUNDED, caller()), Until.DONE)
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
      return await(blocking(Patience.NONE, caller()), Until.DONE);
    }
    // A call to the store may take as long as the command time-out.
    CallerThread caller = wait.compareTo(calls().timeout()) < 0 ? null : caller();
    return await(blocking(Patience.TIMED, caller), new Until(wait, forFirst));
  }

  /**
   * How long a blocking call waits.
   *
   * @param most the longest wait; null for an acquisition that ends by itself
   * @param forFirst the longest wait for the first answer
   */
  private record Until(@Nullable Duration most, Duration forFirst) {
    static final Until DONE = new Until(null, Duration.ZERO);
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

  private LockTable.Entered blocking(Patience patience, @Nullable CallerThread caller) {
    boolean entered = false;
    try {
      LockTable.Entered in = enter(blockingOwner(), patience, caller);
      entered = true;
      return in;
    } finally {
      if (!entered && caller != null) {
        caller.leave();
      }
    }
  }

  private LockTable.Entered enter(Object owner, Patience patience, @Nullable CallerThread caller) {
    return table.enter(name, owner, options, shares.apply(owner), patience, caller);
  }

  private static Optional<Lease> join(LockTable.Entered entered) {
    try {
      callTheStore(entered, null);
      return Waits.join(entered.waiter().outcome);
    } finally {
      entered.waiter().recorded();
    }
  }

  /** Makes the store call that was offered to this thread, if any. */
  private static void callTheStore(LockTable.Entered entered, @Nullable Runnable onInterrupt) {
    CallerThread caller = entered.waiter().caller;
    if (caller != null) {
      caller.run(entered.waiter().outcome, onInterrupt);
    }
  }

  private static Optional<Lease> await(LockTable.Entered entered, Until until)
      throws InterruptedException {
    try {
      callTheStore(entered, () -> interrupted(entered));
      return until.most == null
          ? entered.await(null)
          : entered.await(left(until.most, entered), () -> forFirst(entered, until));
    } finally {
      entered.waiter().recorded();
    }
  }

  /** Returns how much longer an acquisition waits that has no answer when its time is up. */
  private static Duration forFirst(LockTable.Entered entered, Until until) {
    return until.forFirst.equals(until.most) || !entered.entry().endsAtAnswer(entered.waiter())
        ? Duration.ZERO
        : until.forFirst.minus(until.most);
  }

  /**
   * Handles an interrupt of the thread during its store call. The acquisition ends here even if the
   * store's client consumes the interrupt, because nothing else would end its wait.
   */
  private static void interrupted(LockTable.Entered entered) {
    if (entered.entry().giveUp(entered.waiter())) {
      entered.waiter().outcome.completeExceptionally(new InterruptedException());
    }
  }

  /**
   * Returns what is left of a wait, of which the thread may have spent a part in its store call.
   */
  private static Duration left(Duration wait, LockTable.Entered entered) {
    Waiter mine = entered.waiter();
    return mine.caller == null
        ? wait
        : wait.minusNanos(Math.max(0, entered.entry().now() - mine.arrived));
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
      return async(enter(owner, patience, null), wait, shape, table.events()::run);
    } catch (LockException | IllegalMonitorStateException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private <T> CompletableFuture<T> async(
      LockTable.Entered entered,
      Optional<Duration> wait,
      Function<Optional<Lease>, T> shape,
      Executor delivering) {
    entered.outcome().whenComplete((found, failure) -> entered.waiter().recorded());
    return entered.async(wait, table.time(), delivering, shape, AcquireCall::giveBack);
  }

  /** Releases an unused lease. May be called twice. */
  private static void giveBack(Optional<Lease> unused) {
    unused.ifPresent(lease -> ((LeaseHandle) lease).giveBackUnused());
  }
}
