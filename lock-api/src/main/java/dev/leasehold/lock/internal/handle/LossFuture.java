package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.LeaseLoss;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The loss signal that applications get. All calls of {@link dev.leasehold.lock.Lease#lost} share
 * it, since each further future would stay attached to the engine's signal for as long as the lease
 * is held. Callers therefore can't change it: completing or canceling it has no effect, and a
 * time-out completes a copy.
 */
public final class LossFuture extends CompletableFuture<LeaseLoss> {

  /** Creates a future that is not yet signaled. */
  public LossFuture() {}

  /** Creates a future that completes when the engine's own signal does. */
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
    throw new UnsupportedOperationException(
        "only the lock manager completes this stage, when the lease is lost");
  }

  @Override
  public void obtrudeException(Throwable failure) {
    throw new UnsupportedOperationException(
        "only the lock manager completes this stage, when the lease is lost");
  }
}
