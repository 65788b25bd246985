package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One token's lease on the store. Local holds succeed one another over it by hand-over; operations
 * on it run one at a time. Fields are guarded by the name's mutex unless documented otherwise.
 */
public final class RemoteLease extends Watchdog.Entry implements ReleaseStrategy.Returnable {
  private static final CompletableFuture<?> NONE = CompletableFuture.completedFuture(null);

  @SuppressWarnings("rawtypes") // a class literal has no parameters
  private static final AtomicReferenceFieldUpdater<RemoteLease, CompletableFuture> LAST_OPERATION =
      AtomicReferenceFieldUpdater.newUpdater(
          RemoteLease.class, CompletableFuture.class, "lastOperation");

  public final Monitor monitor;
  final LeaseHolders holders;
  private final String token; // with the name, the key, which is made when it is needed

  /** The numbers of its permits, if they have any. */
  public final List<Integer> slots;

  public final long grantedAt;

  /** Whether it has fencing numbers. */
  public final boolean fenced;

  /** Its number if it is fenced: as granted, or drawn later together with leases beside it. */
  private volatile long fence;

  /** The operation that was begun last. */
  private volatile CompletableFuture<?> lastOperation = NONE;

  /** Written under the name's mutex, read without it. */
  private volatile long deadline;

  private volatile Duration lease;

  /** The minimum hold; zero once it is waived. */
  private volatile Duration atLeast;

  public final AcquireSpec spec;

  /** Null if it is never kept after a release. */
  public final @Nullable Recall recall;

  /** How many permits of a semaphore it holds; 1 for any other kind. */
  private volatile int permits;

  LeaseState state;

  /** The number of holds that joined the one it was granted to. */
  public int joined;

  /** Whether the renewer renews it; unrelated to {@link #isKept()}. */
  boolean kept;

  /** The number of renewals that are queued, or whose answers are not yet processed. */
  private int renewing;

  /** Whether a renewal of unknown outcome may still arrive at the store. */
  private boolean unsure;

  /**
   * The latest time at which it expires on the store, unless {@link #unsure}. Written under the
   * name's mutex, read without it.
   */
  private volatile long endsBy;

  /** Creates a granted lease; its deadline is counted from before the request was sent. */
  public RemoteLease(
      Monitor monitor,
      LeaseHolders holders,
      Claim claim,
      LeaseKey key,
      Granted granted,
      long deadline,
      @Nullable Recall recall) {
    LockOptions options = claim.options;
    this.monitor = monitor;
    this.holders = holders;
    this.spec = claim.spec;
    this.permits = spec.wanted();
    this.token = key.token();
    this.fenced = granted.fence().isPresent();
    this.fence = granted.fence().orElse(0);
    this.slots = granted.slots();
    this.deadline = deadline;
    this.lease = options.lease();
    this.atLeast = options.atLeast();
    this.grantedAt = monitor.now();
    this.endsBy = grantedAt + LeaseTimes.ttl(options).toNanos();
    this.recall = recall;
    this.state =
        LeaseState.granted(
            numbers(granted, options), recall != null && recall.granted(this, granted, options));
  }

  /** Returns how many hand-overs there are fencing numbers for. */
  private int numbers(Granted granted, LockOptions options) {
    if (!fenced) {
      return Integer.MAX_VALUE; // none is needed
    }
    return recall == null
        ? Math.min(granted.handOvers(), options.handOver().times())
        : granted.handOvers();
  }

  /** Processes an event. Returns its effect, which is up to the caller. Under the name's mutex. */
  public LeaseState.Effect on(LeaseState.Event event) {
    assert monitor.isHeld();
    LeaseState.Step step = state.on(event);
    state = step.state();
    return step.effect();
  }

  /** Stops listening for recalls, since it ends. */
  public void stopListening() {
    if (recall != null) {
      recall.end();
    }
  }

  public boolean hasEnded() {
    return state.phase() == LeaseState.Phase.ENDED;
  }

  /** Returns the number of its hold if fenced. Shared: constant, and read without the mutex. */
  public long number() {
    return fence + state.used();
  }

  /** Returns whether its fencing number is larger than that of another lease. */
  public boolean isNewerThan(RemoteLease other) {
    return fenced && other.fenced && fence > other.fence;
  }

  /** Returns whether it may pass to a claim in this process without asking the store. */
  public boolean mayPassTo(Claim next) {
    HandOver bound = next.options.handOver();
    // A minimum hold begins with a grant by the store.
    return state.mayGoOn()
        && permits == spec.wanted()
        && spec.isAsGoodAs(next.spec)
        && next.options.atLeast().isZero()
        && bound.times() > 0
        && ((!state.wanted() && recall != null && recall.allowsMore())
            || (state.used() < bound.times()
                && monitor.time().since(grantedAt).compareTo(bound.within()) <= 0));
  }

  /** Prepares for another lease of its owner, which is valid only beside this one. */
  public LeaseKey standBeside() {
    on(new LeaseState.Event.StandsBeside());
    return key();
  }

  /** Returns whether its fence may be raised: numbers for hand-overs would be smaller than that. */
  public boolean mayBeRaised() {
    return fenced && state.numbers() == 0;
  }

  /** Raises its fence, as the store confirmed; later entries get this number. */
  public void raise(long number) {
    fence = Math.max(fence, number);
  }

  public long deadline() {
    return deadline;
  }

  public void renewFor(Duration lease) {
    this.lease = lease;
  }

  @Override
  public LeaseKey key() {
    return new LeaseKey(monitor.name(), token);
  }

  @Override
  public String lockName() {
    return monitor.name();
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

  /** Schedules a check of its holds' deadlines by then. */
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

  // ---- calls to the store ----

  /** Runs an operation after the previous ones are done: one at a time, in order. */
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

  /** Records how many permits remain; it is not handed over any more. Under the name's mutex. */
  public void keepPermits(int left) {
    assert monitor.isHeld();
    permits = left;
  }

  /** Reduces its permits on the store to the number recorded here. */
  public CompletableFuture<ReleaseResult> shrink(PermitStore permitStore) {
    return inTurn(() -> spec.store().shrink(permitStore, key(), permits));
  }

  /** Makes {@code result} the current operation if no other is under way. */
  boolean claim(CompletableFuture<?> result) {
    CompletableFuture<?> before = lastOperation;
    return before.isDone() && LAST_OPERATION.compareAndSet(this, before, result);
  }

  private static <T> void start(
      Supplier<CompletableFuture<T>> operation, CompletableFuture<T> result) {
    StoreCalls.started(operation)
        .whenComplete((value, failure) -> Waits.complete(result, value, failure));
  }

  /** Releases it on the store; fails with {@link dev.leasehold.lock.LockException} only. */
  @Override
  public CompletableFuture<ReleaseResult> release() {
    return inTurn(this::giveBack);
  }

  /** Repeats its release until the store has answered, whatever the answer. */
  public void releaseUntilConfirmed() {
    StoreOperations store = spec.store();
    // How long it may last there, including by renewals without an answer.
    Duration longest = Duration.ofNanos(Math.max(0, endsBy - monitor.now()));
    store.releases().add(store, key(), longest, atLeast, grantedAt);
  }

  @Override
  public boolean claimsPlainRelease(CompletableFuture<ReleaseResult> result) {
    return !hasRun() && !isKept() && claim(result);
  }

  /** Returns whether it has unused numbers for hand-overs, which are returned on release. */
  private boolean hasRun() {
    return fenced && state.hasNumber();
  }

  private CompletableFuture<ReleaseResult> giveBack() {
    Duration rest = rest();
    if (rest.isZero() && hasRun()) {
      return spec.store().release(key(), new FenceRun(number(), fence + state.numbers()));
    }
    return spec.store().release(key(), rest);
  }

  /** Returns whether its minimum hold would outlast a release now. */
  public boolean isKept() {
    return !rest().isZero();
  }

  private Duration rest() {
    return LeaseTimes.rest(atLeast, monitor.time().since(grantedAt));
  }

  /** Waives the minimum hold, because the lease was not used. */
  public void forgetMinimum() {
    atLeast = Duration.ZERO;
  }

  /**
   * Renews it once, after the operations before.
   *
   * @param then receives, under the name's mutex, the result of {@link #renewed}, and the failure
   */
  public void renew(Duration ttl, BiConsumer<OptionalLong, @Nullable LockException> then) {
    beginRenewal();
    monitor.after(() -> sendRenewal(ttl, then));
  }

  private void sendRenewal(Duration ttl, BiConsumer<OptionalLong, @Nullable LockException> then) {
    RenewRequest request = new RenewRequest(key(), ttl);
    long[] sentAt = new long[1];
    monitor.onAnswer(
        inTurn(
            () -> {
              sentAt[0] = monitor.now();
              return spec.store().renew(request);
            }),
        (answer, failure) -> then.accept(renewed(sentAt[0], ttl, answer, failure), failure));
  }

  /** Announces a renewal; {@link #renewed} or {@link #noRenewal} must follow. */
  void beginRenewal() {
    assert monitor.isHeld();
    renewing++;
  }

  /** Records that an announced renewal was not sent. */
  void noRenewal() {
    assert monitor.isHeld();
    renewing--;
  }

  /**
   * Processes the outcome of a renewal that was sent at this time. Only this method moves a
   * deadline: forward, to a time counted from before sending, and only if it has not passed yet.
   *
   * @return the deadline that this confirms; empty if the token holds nothing, or after a failure
   */
  OptionalLong renewed(
      long sentAt, Duration ttl, @Nullable RenewResult answer, @Nullable LockException failure) {
    renewing--;
    holders.expireIfPast(); // an answer after the deadline revives no hold
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
    long confirmed = LeaseTimes.deadline(sentAt, ttl);
    // After the deadline others may have had the lock before a late request of ours won it again:
    // then the numbers that were set aside for hand-overs are smaller than theirs.
    if (deadline - monitor.now() > 0) {
      deadline = later(deadline, confirmed);
    }
    return OptionalLong.of(confirmed);
  }

  private static long later(long one, long other) {
    return other - one > 0 ? other : one;
  }

  /** Returns whether it is certain to expire on the store within this time. */
  public boolean endsWithin(Duration span) {
    return renewing == 0 && !unsure && endsBy - monitor.now() <= span.toNanos();
  }
}
