package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.Drift;
import dev.leasehold.lock.internal.calls.MinimumHolds;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.threads.Alarms;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseRenewer.RenewableLease;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One token's lease on the store. Local holds come and go over it by hand-over; operations on it go
 * one at a time. Fields without a word on it are guarded by the cell.
 */
public final class RemoteLease extends Alarms.Alarm
    implements RenewableLease, ReleaseStrategy.Returnable {
  private static final CompletableFuture<?> NONE = CompletableFuture.completedFuture(null);

  @SuppressWarnings("rawtypes") // a class literal has no parameters
  private static final AtomicReferenceFieldUpdater<RemoteLease, CompletableFuture> LAST_OPERATION =
      AtomicReferenceFieldUpdater.newUpdater(
          RemoteLease.class, CompletableFuture.class, "lastOperation");

  final Monitor monitor;
  final LeaseHolders holders;
  public final LeaseKey key;
  public final OptionalLong fence;

  /** The numbers of its permits, if they have any. */
  public final List<Integer> slots;

  public final long grantedAt;

  /** A larger number that it was given later, with leases beside it; or 0. */
  private volatile long raised;

  /** How many numbers after the fence the store has set aside for hand-overs. */
  private final int numbers;

  /** The operation that was begun last. */
  private volatile CompletableFuture<?> lastOperation = NONE;

  /** Written under the cell's mutex, read anywhere. */
  private volatile long deadline;

  private volatile Duration lease;

  /** Zero once it is given up. */
  private volatile Duration atLeast;

  private final StoreOperations store;
  private final AcquireSpec spec;

  /** How many permits of a semaphore it holds; 1 of any other kind. */
  private volatile int permits;

  public int handOvers;

  /** Whether the last one that left it has given it back. */
  public boolean givenBack;

  /** Holds that joined the one that it was granted to. */
  public int joined;

  /** Whether its owner has another lease beside it: then it goes back to the store. */
  private volatile boolean hasOther;

  /** Whether the renewer has it. */
  boolean kept;

  /** Renewals that are put down and whose answers are not yet taken in. */
  private int renewing;

  /** Whether a renewal of unknown outcome may still come to the store. */
  private boolean unsure;

  /**
   * When the store lets it go by itself, at the latest, unless {@link #unsure}. Written under the
   * cell's mutex, read anywhere.
   */
  private volatile long endsBy;

  public RemoteLease(
      Monitor monitor,
      LeaseHolders holders,
      AcquireSpec spec,
      LeaseKey key,
      Granted granted,
      long deadline,
      LockOptions options) {
    this.monitor = monitor;
    this.holders = holders;
    this.spec = spec;
    this.store = spec.store();
    this.permits = spec.wanted();
    this.key = key;
    this.fence = granted.fence();
    this.slots = granted.slots();
    this.numbers = Math.min(granted.handOvers(), options.handOver().times());
    this.deadline = deadline;
    this.lease = options.lease();
    this.atLeast = options.atLeast();
    this.grantedAt = monitor.now();
    this.endsBy = grantedAt + MinimumHolds.ttl(options).toNanos();
  }

  /** Of its present hold: each hand-over takes the next number. */
  public OptionalLong fencingToken() {
    return handOvers > 0 && fence.isPresent()
        ? OptionalLong.of(fence.getAsLong() + handOvers)
        : fence;
  }

  /** Whether it may pass to an acquisition inside this process, without asking the store. */
  public boolean mayPassTo(Claim next) {
    HandOver bound = next.options.handOver();
    // A minimum hold begins with a grant of the store's.
    return !hasOther
        && permits == spec.wanted()
        && spec.isAsGoodAs(next.spec)
        && next.options.atLeast().isZero()
        && handOvers < bound.times()
        && hasNumber()
        && monitor.time().since(grantedAt).compareTo(bound.within()) <= 0;
  }

  /** Whether another hold may stand on it beside those that do. */
  public boolean mayBeJoinedBy(Claim next) {
    HandOver bound = next.options.handOver();
    return spec.isAsGoodAs(next.spec)
        && joined < bound.times()
        && monitor.time().since(grantedAt).compareTo(bound.within()) <= 0;
  }

  /** Its owner is about to take another lease that stands only beside this one. */
  public LeaseKey standBeside() {
    hasOther = true;
    return key;
  }

  /**
   * Whether its fence can be made larger: its numbers for hand-overs, if it has any, would be
   * smaller then.
   */
  public boolean mayBeRaised() {
    return fence.isPresent() && numbers == 0;
  }

  /** The store has made its fence so large: who enters from now on has that. */
  public void raise(long number) {
    raised = number;
  }

  public long raised() {
    return raised;
  }

  /** Whether there is a fencing token for one more hold, or none is needed. */
  boolean hasNumber() {
    return fence.isEmpty() || handOvers < numbers;
  }

  public long deadline() {
    return deadline;
  }

  public void renewFor(Duration lease) {
    this.lease = lease;
  }

  @Override
  public LeaseKey key() {
    return key;
  }

  @Override
  public String lockName() {
    return key.name();
  }

  @Override
  public Duration lease() {
    return lease;
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadline - monitor.now()));
  }

  // ---- its timer ----

  /** Has the entry look at it by then. */
  public void watch(long until) {
    monitor.time().deadlines().setBy(this, until);
  }

  /** The loss is decided on the timer's thread, so that busy executors can't delay it. */
  @Override
  protected void ring() {
    monitor.lockedByTimer(() -> holders.timerRang(this));
  }

  public void unwatch() {
    monitor.time().deadlines().cancel(this);
  }

  // ---- what goes to the store ----

  /** The longest that it may still last on the store, renewals without an answer included. */
  private Duration longest() {
    return Duration.ofNanos(Math.max(0, endsBy - monitor.now()));
  }

  /** Runs an operation after those before it are done: one at a time, in order. */
  <T> CompletableFuture<T> inTurn(Supplier<CompletableFuture<T>> operation) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<?> before = LAST_OPERATION.getAndSet(this, result);
    if (before.isDone()) {
      start(operation, result);
    } else {
      before.whenComplete((value, failure) -> start(operation, result));
    }
    return result;
  }

  public int permits() {
    return permits;
  }

  /** The others are given back: from now on it is not handed over. Under the cell's mutex. */
  public void keepPermits(int left) {
    permits = left;
  }

  /** Has the store keep as many of its permits as it counts. */
  public CompletableFuture<ReleaseResult> shrink(PermitStore permitStore) {
    return inTurn(() -> store.shrink(permitStore, key, permits));
  }

  /** Claims the turn for {@code result} if nothing is under way. */
  boolean claim(CompletableFuture<?> result) {
    CompletableFuture<?> before = lastOperation;
    return before.isDone() && LAST_OPERATION.compareAndSet(this, before, result);
  }

  private static <T> void start(
      Supplier<CompletableFuture<T>> operation, CompletableFuture<T> result) {
    StoreCalls.started(operation)
        .whenComplete(
            (value, failure) -> {
              if (failure == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(failure);
              }
            });
  }

  /** Gives it back to the store; fails with {@link dev.leasehold.lock.LockException} only. */
  @Override
  public CompletableFuture<ReleaseResult> release() {
    return inTurn(this::giveBack);
  }

  /** Gives it back again and again until the store has answered, whatever it answers. */
  public void releaseUntilConfirmed() {
    store.releases().add(store.kind(), store.store(), key, longest(), atLeast, grantedAt);
  }

  @Override
  public boolean claimsPlainRelease(CompletableFuture<ReleaseResult> result) {
    return !hasRun() && !isKept() && claim(result);
  }

  /** Whether it has numbers for hand-overs left, which are given back with it. */
  private boolean hasRun() {
    return fence.isPresent() && hasNumber();
  }

  private CompletableFuture<ReleaseResult> giveBack() {
    Duration rest = rest();
    if (rest.isZero() && hasRun()) {
      long first = fence.getAsLong();
      return store.release(key, new FenceRun(first + handOvers, first + numbers));
    }
    return store.release(key, rest);
  }

  /** Whether the store keeps the lock for some time yet if it is given back now. */
  public boolean isKept() {
    return !rest().isZero();
  }

  private Duration rest() {
    return MinimumHolds.rest(atLeast, monitor.time().since(grantedAt));
  }

  /** Nobody has used it: no need to keep it. */
  public void forgetMinimum() {
    atLeast = Duration.ZERO;
  }

  /** Renews it once, in its turn. */
  public void renew(Duration ttl, RenewalHandler then) {
    beginRenewal();
    monitor.after(() -> sendRenewal(ttl, then));
  }

  private void sendRenewal(Duration ttl, RenewalHandler then) {
    RenewRequest request = new RenewRequest(key, ttl);
    long[] sentAt = new long[1];
    monitor.onAnswer(
        inTurn(
            () -> {
              sentAt[0] = monitor.now();
              return store.renew(request);
            }),
        (answer, failure) -> then.accept(renewed(sentAt[0], ttl, answer, failure), failure));
  }

  /** A renewal is about to be sent; {@link #renewed} has to follow. */
  void beginRenewal() {
    renewing++;
  }

  /** A renewal was not sent after all. */
  void noRenewal() {
    renewing--;
  }

  /**
   * Takes in what became of a renewal that was sent then. The one place where a deadline moves:
   * only if the store confirmed it, from before sending, and never back.
   *
   * @return the deadline that this confirms; empty if the token holds nothing, or after a failure
   */
  OptionalLong renewed(
      long sentAt, Duration ttl, @Nullable RenewResult answer, @Nullable LockException failure) {
    renewing--;
    holders.expireIfPast(); // an answer after the deadline revives nothing
    if (failure != null) {
      Duration left = remaining();
      monitor.after(() -> Flight.RECORDER.renewalFailed(monitor.kind(), lockName(), left, failure));
    }
    boolean mayHaveRun = StoreCalls.mayHaveRun(failure);
    unsure |= mayHaveRun;
    if (mayHaveRun || answer == RenewResult.RENEWED) {
      endsBy = later(endsBy, monitor.now() + ttl.toNanos());
    }
    if (answer != RenewResult.RENEWED) {
      return OptionalLong.empty();
    }
    long confirmed = Drift.deadline(sentAt, ttl);
    deadline = later(deadline, confirmed);
    return OptionalLong.of(confirmed);
  }

  private static long later(long one, long other) {
    return other - one > 0 ? other : one;
  }

  /** Whether the store is sure to let it go by itself within this time. */
  public boolean endsWithin(Duration span) {
    return renewing == 0 && !unsure && endsBy - monitor.now() <= span.toNanos();
  }
}
