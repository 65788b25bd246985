package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations to the store: each ends within the command time-out, fails with a {@link
 * LockException} only, and is withdrawn if it timed out.
 */
final class StoreCalls {
  private static final Duration FIRST_RETRY = Duration.ofMillis(50);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

  private final LeaseStore store;
  private final Scheduler scheduler;
  private final Executor executor;
  private final Events events;
  private final Duration timeout;
  private final AtomicInteger underWay = new AtomicInteger();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private volatile boolean draining;
  private volatile boolean closed;

  StoreCalls(
      LeaseStore store, Scheduler scheduler, Executor executor, Events events, Duration timeout) {
    this.store = store;
    this.scheduler = scheduler;
    this.executor = executor;
    this.events = events;
    this.timeout = timeout;
  }

  /** One operation; {@code operation} is its name in events. */
  <T> CompletableFuture<T> send(
      String lockName, String operation, Supplier<? extends CompletionStage<T>> call) {
    CompletionStage<T> stage;
    try {
      stage = call.get();
    } catch (RuntimeException e) {
      stage = CompletableFuture.failedFuture(e);
    }
    return limited(lockName, operation, stage);
  }

  /** Puts the time-out on an operation that is under way. */
  <T> CompletableFuture<T> limited(String lockName, String operation, CompletionStage<T> stage) {
    return limited(lockName, operation, stage, timeout);
  }

  /** Puts a time-out of its own on an operation, but no longer one than the command time-out. */
  <T> CompletableFuture<T> limited(
      String lockName, String operation, CompletionStage<T> stage, Duration atMost) {
    Duration limit = atMost.compareTo(timeout) < 0 ? atMost : timeout;
    CompletableFuture<T> result = new CompletableFuture<>();
    underWay.incrementAndGet();
    result.whenComplete((value, failure) -> ended());
    CompletableFuture<T> sent = stage.toCompletableFuture();
    Scheduler.@Nullable Scheduled timer =
        sent.isDone()
            ? null
            : scheduler.schedule(limit, () -> executor.execute(() -> giveUp(sent, result, limit)));
    sent.whenComplete(
        (value, failure) -> {
          if (timer != null) {
            timer.cancel();
          }
          if (failure == null) {
            result.complete(value);
            return;
          }
          LockException typed = typed(failure, limit);
          if (typed instanceof LockStoreException cause) {
            events.tell(() -> new LockEvent.Failed(lockName, operation, cause));
          }
          result.completeExceptionally(typed);
        });
    return result;
  }

  /**
   * Counts what is about to send operations, so that the store is not closed meanwhile; {@link
   * #ended} has to follow. False if the store is about to be closed.
   */
  boolean begins() {
    underWay.incrementAndGet();
    if (draining) {
      ended();
      return false;
    }
    return true;
  }

  void ended() {
    if (underWay.decrementAndGet() == 0 && draining) {
      drained.complete(null);
    }
  }

  /** Completes when no call is under way any more. */
  CompletableFuture<Void> drained() {
    draining = true;
    underWay.incrementAndGet();
    ended();
    return drained;
  }

  private <T> void giveUp(CompletableFuture<T> sent, CompletableFuture<T> result, Duration limit) {
    // The stage ends by the cancellation; a store whose stages can't be cancelled is left behind.
    if (!sent.cancel(true) && !sent.isDone()) {
      result.completeExceptionally(timedOut(limit, null));
    }
  }

  private static LockStoreException timedOut(Duration limit, @Nullable Throwable cause) {
    String message = "the store did not answer within " + limit;
    return cause == null
        ? new LockStoreException(Kind.TIMED_OUT, message)
        : new LockStoreException(Kind.TIMED_OUT, message, cause);
  }

  private static LockException typed(Throwable failure, Duration limit) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof LockException typed) {
      return typed;
    }
    return cause instanceof CancellationException
        ? timedOut(limit, cause)
        : new LockStoreException(Kind.UNAVAILABLE, "the store failed: " + cause, cause);
  }

  /**
   * Releases a token that nobody holds any more but that may be on the store: again and again until
   * the store has answered, whatever it answers. Ends when the manager is closed; then it expires.
   */
  void releaseUntilConfirmed(LeaseKey key) {
    releaseAgain(key, FIRST_RETRY);
  }

  private void releaseAgain(LeaseKey key, Duration pause) {
    if (closed) {
      return;
    }
    send(key.name(), "release", () -> store.release(key))
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                Duration next = pause.multipliedBy(2);
                scheduler.schedule(
                    pause,
                    () ->
                        executor.execute(
                            () ->
                                releaseAgain(
                                    key,
                                    next.compareTo(LONGEST_RETRY) < 0 ? next : LONGEST_RETRY)));
              }
            });
  }

  void close() {
    closed = true;
  }
}
