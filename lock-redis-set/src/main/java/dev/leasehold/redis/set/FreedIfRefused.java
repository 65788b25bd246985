package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * An acquisition by several commands, one of which may be refused when others have been executed.
 * The engine releases no lock after a refusal, so it is released here first. Cancelling this stage
 * cancels the acquisition.
 */
final class FreedIfRefused extends CompletableFuture<AcquireResult> {
  private final CompletableFuture<AcquireResult> acquisition;

  FreedIfRefused(
      CompletableFuture<AcquireResult> acquisition,
      Supplier<? extends CompletionStage<?>> release) {
    this.acquisition = acquisition;
    acquisition.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            complete(result);
          } else if (isRefusal(failure)) {
            release.get().whenComplete((done, ignored) -> completeExceptionally(failure));
          } else {
            completeExceptionally(failure);
          }
        });
  }

  private static boolean isRefusal(Throwable failure) {
    return failure instanceof LockStoreException e && e.kind() == LockStoreException.Kind.REFUSED;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    acquisition.cancel(mayInterruptIfRunning);
    return cancelled;
  }
}
