package dev.leasehold.lock.spi;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Base class of a store on a blocking client. Implement the {@code ...Now} methods; they may block
 * and may throw {@link dev.leasehold.lock.LockStoreException}. They are never called on a virtual
 * thread, but on threads of the manager; and, if the store's calls are {@linkplain #cuttable
 * cuttable}, also on the thread of a blocking lock operation that waits for the call.
 */
public abstract class BlockingLeaseStore implements LeaseStore {
  private @Nullable BlockingCalls calls;

  /** For subclasses only. */
  protected BlockingLeaseStore() {}

  /** {@inheritDoc} Overrides must call it. */
  @Override
  public void start(StoreContext context) {
    calls = new BlockingCalls(context, this::cuttable);
  }

  /** As {@link LeaseStore#acquire}; blocks. */
  protected abstract AcquireResult acquireNow(AcquireRequest request);

  /** As {@link LeaseStore#renew} for one lease; blocks. */
  protected abstract RenewResult renewNow(RenewRequest request);

  /** As {@link LeaseStore#release(LeaseKey)}; blocks. */
  protected abstract ReleaseResult releaseNow(LeaseKey lease);

  /**
   * As {@link LeaseStore#release(LeaseKey, FenceRun)}; blocks. The default ignores unused fencing
   * tokens.
   */
  protected ReleaseResult releaseNow(LeaseKey lease, FenceRun run) {
    return releaseNow(lease);
  }

  /** As {@link LeaseStore#inspect}; blocks. */
  protected abstract Optional<StoredLease> inspectNow(String name);

  /**
   * As {@link LeaseStore#leave}; blocks. The default does nothing, for stores without a queue of
   * waiters.
   */
  protected void leaveNow(LeaseKey waiter) {}

  @Override
  public final CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return inTurn(request.key(), () -> acquireNow(request));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(request -> inTurn(request.key(), () -> renewNow(request))).toList();
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return inTurn(lease, () -> releaseNow(lease));
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return inTurn(lease, () -> releaseNow(lease, run));
  }

  @Override
  public final CompletionStage<?> leave(LeaseKey waiter) {
    return run(
        () -> {
          leaveNow(waiter);
          return waiter;
        });
  }

  @Override
  public final CompletionStage<Optional<StoredLease>> inspect(String name) {
    return run(() -> inspectNow(name));
  }

  private <T> CompletionStage<T> inTurn(LeaseKey key, Supplier<T> call) {
    return calls().inTurn(key, call);
  }

  /** As {@link BlockingCalls#inTurn(List, Supplier)}, for a {@link MultiLockStore}. */
  protected final <T> CompletionStage<T> inTurn(List<LeaseKey> leases, Supplier<T> call) {
    return calls().inTurn(leases, call);
  }

  /**
   * How to make a call on the thread of a lock operation's caller ({@link StoreContext#byCaller});
   * a new instance for each call. Empty by default: calls cannot be cut off, so they are made only
   * on the manager's threads.
   */
  protected Optional<Cuttable> cuttable() {
    return Optional.empty();
  }

  /** Makes a call that other threads can cut off. */
  public interface Cuttable {

    /**
     * Makes a call on a thread that others may interrupt. An interrupt must not end the call, which
     * only {@link #cut} may do, and the flag must be kept.
     *
     * @throws WouldBlockException if the call would wait for something that cannot be cut off;
     *     nothing has been done then, and the call is made on a thread of the manager
     */
    <T> T make(Supplier<T> call);

    /** As {@link CallersCall#cut}. */
    void cut();
  }

  private BlockingCalls calls() {
    return Objects.requireNonNull(calls, "not started");
  }

  /** Runs a call of the store on a thread that may block. */
  protected final <T> CompletionStage<T> run(Supplier<T> call) {
    return calls().run(call);
  }
}
