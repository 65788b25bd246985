package dev.leasehold.methods.spi;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockStoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A call of a {@code @Locked} method that returns a stage. */
final class LockedStage {
  private final MethodLock methodLock;
  private final MethodCall call;
  private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

  LockedStage(MethodLock methodLock, MethodCall call) {
    this.methodLock = methodLock;
    this.call = call;
  }

  /** Starts to wait; the returned future completes after the release of the lock. */
  CompletableFuture<@Nullable Object> start() {
    try {
      DistributedLock lock = methodLock.lock(call);
      CompletableFuture<?> waiting =
          methodLock.request(lock, (lease, failure) -> acquired(lock, lease, failure));
      result.whenComplete(
          (value, failure) -> {
            if (result.isCancelled()) {
              waiting.cancel(false); // cancels the request, if it is still waiting
            }
          });
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  private void acquired(DistributedLock lock, Optional<Lease> lease, @Nullable Throwable failure) {
    if (failure != null) {
      result.completeExceptionally(cause(failure));
    } else if (lease.isPresent()) {
      run(lease.get());
    } else {
      Holders.tell(lock, holder -> result.completeExceptionally(methodLock.late(lock, holder)));
    }
  }

  private void run(Lease lease) {
    if (result.isDone()) { // cancelled after the lock was granted
      lease.releaseAsync();
      return;
    }
    CompletionStage<?> work;
    try {
      Object returned = methodLock.proceed(call, lease);
      if (returned == null) {
        throw new NullPointerException(
            MethodLock.describe(methodLock.locked().method()) + " returned null for a stage");
      }
      work = (CompletionStage<?>) returned;
    } catch (Throwable failure) { // Throwable: the lock is released whatever is thrown
      release(lease, null, failure);
      return;
    }
    work.whenComplete((value, failure) -> release(lease, value, failure));
  }

  private void release(Lease lease, @Nullable Object value, @Nullable Throwable failure) {
    lease
        .releaseAsync()
        .whenComplete(
            (released, unreleased) -> {
              Throwable late = unreleased == null ? null : cause(unreleased);
              if (failure != null) {
                Throwable first = cause(failure);
                if (late != null) {
                  first.addSuppressed(late);
                }
                result.completeExceptionally(first);
              } else if (late instanceof LockStoreException unconfirmed) {
                MethodLock.warn(lease, unconfirmed);
                result.complete(value);
              } else if (late != null) {
                result.completeExceptionally(late);
              } else {
                result.complete(value);
              }
            });
  }

  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
