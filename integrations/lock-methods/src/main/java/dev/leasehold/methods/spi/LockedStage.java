package dev.leasehold.methods.spi;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockStoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One call of a {@code @Locked} method that returns a stage. */
final class LockedStage {
  private final MethodLock methodLock;
  private final MethodCall call;
  private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

  LockedStage(MethodLock methodLock, MethodCall call) {
    this.methodLock = methodLock;
    this.call = call;
  }

  /** Begins to wait; what it returns completes after the lock was given back. */
  CompletableFuture<@Nullable Object> start() {
    try {
      DistributedLock lock = methodLock.lock(call);
      CompletableFuture<?> waiting = acquire(lock);
      result.whenComplete(
          (value, failure) -> {
            if (result.isCancelled()) {
              waiting.cancel(false); // gives the place up, if it still waits
            }
          });
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  /** The lock's own future: where it can't be cancelled any more, there is a lease to be run. */
  private CompletableFuture<?> acquire(DistributedLock lock) {
    Optional<Duration> patience = methodLock.locked().patience();
    if (patience.isPresent()) {
      CompletableFuture<Optional<Lease>> timed =
          lock.tryAcquireAsync(patience.get()).toCompletableFuture();
      timed.whenComplete((lease, failure) -> acquired(lock, lease, failure));
      return timed;
    }
    CompletableFuture<Lease> unbounded = lock.acquireAsync().toCompletableFuture();
    unbounded.whenComplete((lease, failure) -> acquired(lock, Optional.ofNullable(lease), failure));
    return unbounded;
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
    if (result.isDone()) { // cancelled when the lock was there already
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
    } catch (Throwable failure) { // whatever it throws, the lock is given back
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
