package dev.leasehold.lock.spi;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store on a client that blocks. Implement the {@code ...Now} methods; they are called where
 * blocking is allowed, never on a virtual thread, and may throw {@link
 * dev.leasehold.lock.LockStoreException}.
 */
public abstract class BlockingLeaseStore implements LeaseStore {
  private @Nullable Executor executor;

  /** For subclasses. */
  protected BlockingLeaseStore() {}

  /** {@inheritDoc} An override must call it. */
  @Override
  public void start(StoreContext context) {
    executor = context.blockingExecutor();
  }

  /** As {@link LeaseStore#acquire}; blocks. */
  protected abstract AcquireResult acquireNow(AcquireRequest request);

  /** As {@link LeaseStore#renew} for one lease; blocks. */
  protected abstract RenewResult renewNow(RenewRequest request);

  /** As {@link LeaseStore#release}; blocks. */
  protected abstract ReleaseResult releaseNow(LeaseKey lease);

  /** As {@link LeaseStore#inspect}; blocks. */
  protected abstract Optional<StoredLease> inspectNow(String name);

  /** As {@link LeaseStore#leave}; blocks. By default there is no line to leave. */
  protected void leaveNow(LeaseKey waiter) {}

  @Override
  public final CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return run(() -> acquireNow(request));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(request -> run(() -> renewNow(request))).toList();
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return run(() -> releaseNow(lease));
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

  /** Runs a call of the store where blocking is allowed. */
  protected final <T> CompletionStage<T> run(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, Objects.requireNonNull(executor, "not started"));
  }
}
