package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.threads.Alarms;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Outbox;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations to the store: each ends within the command time-out, fails with a {@link
 * LockException} only, and is withdrawn if it timed out.
 */
public final class StoreCalls {
  private final Events events;
  private final EngineLog log;
  private final Lifecycle lifecycle;
  private final CallerThreads callers;
  private final Duration timeout;
  private final String store;

  private final Alarms timeouts;

  private final Set<Call<?>> calls = ConcurrentHashMap.newKeySet();

  /** For one store, which messages name. */
  public StoreCalls(
      LeaseStore store,
      Scheduler scheduler,
      Ticker ticker,
      Events events,
      EngineLog log,
      Lifecycle lifecycle,
      CallerThreads callers,
      Duration timeout) {
    this.events = events;
    this.log = log;
    this.lifecycle = lifecycle;
    this.callers = callers;
    this.timeout = timeout;
    this.store = StoreContract.name(store);
    this.timeouts = new Alarms(scheduler, ticker);
  }

  /** Returns the command time-out. */
  public Duration timeout() {
    return timeout;
  }

  /** Returns the operations in flight, for which a close waits. */
  public Lifecycle lifecycle() {
    return lifecycle;
  }

  /** Returns the threads that may make a call of their own operation. */
  public CallerThreads callers() {
    return callers;
  }

  /**
   * Sends an operation; {@code operation} is its name in events. Not sent after the close. Fails if
   * the store completes it with null.
   */
  <T> CompletableFuture<T> send(
      LockKind kind,
      String lockName,
      String operation,
      Supplier<? extends CompletionStage<T>> call) {
    return send(kind, lockName, operation, call, Ending.ANSWER);
  }

  /** Sends an operation that has no answer: the store completes it, perhaps with null. */
  CompletableFuture<?> confirm(
      LockKind kind,
      String lockName,
      String operation,
      Supplier<? extends CompletionStage<?>> call) {
    return send(
        kind, lockName, operation, () -> (CompletionStage<?>) call.get(), Ending.CONFIRMATION);
  }

  /** Whether the store has to complete an operation with an answer. */
  private enum Ending {
    ANSWER,
    CONFIRMATION
  }

  private <T> CompletableFuture<T> send(
      LockKind kind,
      String lockName,
      String operation,
      Supplier<? extends CompletionStage<T>> call,
      Ending ending) {
    if (!lifecycle.begin()) {
      return CompletableFuture.failedFuture(Lifecycle.closedFailure());
    }
    try {
      CompletableFuture<T> sent =
          started(() -> started(operation, call).toCompletableFuture()).toCompletableFuture();
      return begun(new Call<>(kind, lockName, operation, ending, sent, timeout, callers.taker()));
    } finally {
      lifecycle.end();
    }
  }

  /** Calls the store; what it throws becomes a failed stage. */
  public static <T> CompletionStage<T> started(Supplier<? extends CompletionStage<T>> call) {
    return started("a call", call);
  }

  /** The same; {@code operation} is named if the store returns null. */
  public static <T> CompletionStage<T> started(
      String operation, Supplier<? extends CompletionStage<T>> call) {
    try {
      return Objects.requireNonNull(
          call.get(),
          () -> "the store returned null for " + operation + ": it must return a stage");
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Adds a time-out to an operation in flight, at most the command time-out. */
  public <T> CompletableFuture<T> limited(
      LockKind kind, String lockName, String operation, CompletionStage<T> stage, Duration atMost) {
    Duration limit = atMost.compareTo(timeout) < 0 ? atMost : timeout;
    CompletableFuture<T> sent = started(() -> stage.toCompletableFuture()).toCompletableFuture();
    return begun(new Call<>(kind, lockName, operation, Ending.ANSWER, sent, limit, null));
  }

  private static <T> CompletableFuture<T> begun(Call<T> call) {
    call.begin();
    return call.result;
  }

  /** An operation in flight. */
  private final class Call<T> extends Alarms.Alarm {
    final CompletableFuture<T> result = new CompletableFuture<>();
    private final LockKind kind;
    private final String lockName;
    private final String operation;
    private final Ending ending;
    private final CompletableFuture<T> sent;
    private final Duration limit;

    /** The caller's thread that makes it; that thread is watched, so no alarm is needed. */
    private final @Nullable CallerThread caller;

    Call(
        LockKind kind,
        String lockName,
        String operation,
        Ending ending,
        CompletableFuture<T> sent,
        Duration limit,
        @Nullable CallerThread caller) {
      this.kind = kind;
      this.lockName = lockName;
      this.operation = operation;
      this.ending = ending;
      this.sent = sent;
      this.limit = limit;
      this.caller = caller;
    }

    void begin() {
      if (!lifecycle.begin()) {
        result.completeExceptionally(Lifecycle.closedFailure());
        sent.cancel(true);
        if (caller != null) {
          caller.ended();
        }
        return;
      }
      calls.add(this);
      if (lifecycle.isEnded()) {
        abandon(); // closed meanwhile
      }
      if (caller != null) {
        caller.limitedBy(this::giveUp);
      }
      if (caller == null && !sent.isDone()) {
        setTimeout();
      }
      sent.whenComplete(
          (value, failure) -> {
            if (caller == null) {
              timeouts.cancel(this);
            } else {
              caller.ended();
            }
            answered(value, failure);
          });
    }

    private void setTimeout() {
      try {
        timeouts.setAfter(this, limit.toNanos());
      } catch (RuntimeException | Error e) { // without a time-out it might never end
        answered(null, e);
        sent.cancel(true);
      }
    }

    @Override
    protected void ring() {
      giveUp();
    }

    private void answered(@Nullable T value, @Nullable Throwable failure) {
      if (failure == null && (value != null || ending == Ending.CONFIRMATION)) {
        log.storeAnswered();
        end(() -> result.complete(value));
        return;
      }
      Throwable why = failure == null ? noAnswer() : Waits.cause(failure);
      LockException typed = why instanceof CancellationException ? timedOut(why) : typed(why);
      boolean unwanted = caller != null && caller.isUnwanted(); // not the store's fault
      end(
          () -> {
            if (!unwanted && typed instanceof LockStoreException cause) {
              events.tell(() -> new LockEvent.Failed(kind, lockName, operation, cause));
              log.storeFailed(operation, kind, lockName, cause);
            }
            result.completeExceptionally(typed);
          });
    }

    /** Cancels the stage, which ends it; a stage that can't be cancelled is abandoned. */
    private void giveUp() {
      Outbox.quietly(() -> sent.cancel(true));
      if (!sent.isDone()) {
        answered(null, timedOut(null));
      }
    }

    private String what() {
      return "Could not " + operation + " " + kind.named(lockName);
    }

    /** The store completed the operation with null. */
    private LockStoreException noAnswer() {
      return new LockStoreException(
          Kind.UNAVAILABLE, what() + ": " + store + " completed the call without an answer");
    }

    private LockStoreException timedOut(@Nullable Throwable cause) {
      String message = what() + ": the store did not answer within " + Setting.written(limit);
      return cause == null
          ? new LockStoreException(Kind.TIMED_OUT, message)
          : new LockStoreException(Kind.TIMED_OUT, message, cause);
    }

    void abandon() {
      end(() -> result.completeExceptionally(Lifecycle.closedFailure()));
      Outbox.quietly(() -> sent.cancel(true));
      if (caller != null) {
        Outbox.quietly(caller::cut);
      }
    }

    /**
     * Ends the call once, also if its result was completed by a caller that gave it up. It counts
     * as in flight until its result was handled. A second end is ignored.
     */
    private void end(Runnable completion) {
      if (calls.remove(this)) {
        try {
          completion.run();
        } finally {
          lifecycle.end();
        }
      }
    }
  }

  /** Returns a call's failure as a {@link LockException}. */
  public static LockException typed(Throwable failure) {
    Throwable cause = Waits.cause(failure);
    return cause instanceof LockException typed
        ? typed
        : new LockStoreException(
            Kind.UNAVAILABLE, "the store failed: " + Quoted.text(cause.toString()), cause);
  }

  /** Returns whether a failed call may have run: one that the store refused has changed nothing. */
  public static boolean mayHaveRun(@Nullable LockException failure) {
    return failure instanceof LockStoreException store && store.kind() != Kind.REFUSED;
  }

  /** Closes: nothing is sent any more, and operations in flight are abandoned. */
  public void close() {
    lifecycle.endNow();
    calls.forEach(Call::abandon);
    timeouts.close();
  }
}
