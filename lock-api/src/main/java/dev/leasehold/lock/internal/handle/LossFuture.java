package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.LeaseLoss;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A loss signal as applications get it: one for all calls of {@link dev.leasehold.lock.Lease#lost},
 * since each more would hang on the engine's signal for as long as the lease is held. Whoever has
 * it can therefore not change it: completing or cancelling it does nothing, and what a time-out
 * completes is a copy.
 */
public final class LossFuture extends CompletableFuture<LeaseLoss> {

  /** Not signalled. */
  public LossFuture() {}

  /** Completes as the engine's own signal does. */
  public LossFuture(CompletableFuture<LeaseLoss> signal) {
    signal.thenAccept(this::signal);
  }

  public void signal(LeaseLoss loss) {
    super.complete(loss);
  }

  @Override
  public boolean complete(LeaseLoss loss) {
    return false;
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return false;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return false;
  }

  @Override
  public CompletableFuture<LeaseLoss> completeAsync(
      Supplier<? extends LeaseLoss> supplier, Executor executor) {
    return copy().completeAsync(supplier, executor);
  }

  @Override
  public CompletableFuture<LeaseLoss> completeAsync(Supplier<? extends LeaseLoss> supplier) {
    return completeAsync(supplier, defaultExecutor());
  }

  @Override
  public CompletableFuture<LeaseLoss> orTimeout(long timeout, TimeUnit unit) {
    return copy().orTimeout(timeout, unit);
  }

  @Override
  public CompletableFuture<LeaseLoss> completeOnTimeout(
      LeaseLoss loss, long timeout, TimeUnit unit) {
    return copy().completeOnTimeout(loss, timeout, unit);
  }

  @Override
  public void obtrudeValue(LeaseLoss loss) {
    throw new UnsupportedOperationException("a lease's loss is the lock manager's to tell");
  }

  @Override
  public void obtrudeException(Throwable failure) {
    throw new UnsupportedOperationException("a lease's loss is the lock manager's to tell");
  }
}
