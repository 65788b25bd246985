package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.threads.Alarms;
import dev.leasehold.lock.internal.threads.InFlight;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Outbox;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations to the store: each ends within the command time-out, fails with a {@link
 * LockException} only, and is withdrawn if it timed out.
 */
public final class StoreCalls {
  private final Ticker ticker;
  private final Events events;
  private final EngineLog log;
  private final InFlight inFlight;
  private final CallerThreads callers;
  private final Duration timeout;

  private final Alarms timeouts;

  private final Set<Call<?>> calls = ConcurrentHashMap.newKeySet();

  public StoreCalls(
      Scheduler scheduler,
      Ticker ticker,
      Events events,
      EngineLog log,
      InFlight inFlight,
      CallerThreads callers,
      Duration timeout) {
    this.ticker = ticker;
    this.events = events;
    this.log = log;
    this.inFlight = inFlight;
    this.callers = callers;
    this.timeout = timeout;
    this.timeouts = new Alarms(scheduler, ticker);
  }

  /** The longest that one may take. */
  public Duration timeout() {
    return timeout;
  }

  /** What is under way; a close waits for it. */
  public InFlight inFlight() {
    return inFlight;
  }

  /** Who may make a call of its own operation itself. */
  public CallerThreads callers() {
    return callers;
  }

  /** One operation; {@code operation} is its name in events. After the end it is not sent. */
  <T> CompletableFuture<T> send(
      LockKind kind,
      String lockName,
      String operation,
      Supplier<? extends CompletionStage<T>> call) {
    if (!inFlight.begin()) {
      return CompletableFuture.failedFuture(Lifecycle.closedFailure());
    }
    try {
      CompletableFuture<T> sent =
          started(() -> started(call).toCompletableFuture()).toCompletableFuture();
      return begun(new Call<>(kind, lockName, operation, sent, timeout, callers.taker()));
    } finally {
      inFlight.end();
    }
  }

  /** Whatever a store throws, it is its answer. */
  public static <T> CompletionStage<T> started(Supplier<? extends CompletionStage<T>> call) {
    try {
      return Objects.requireNonNull(call.get(), "the store's stage");
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Puts the time-out on an operation that is under way. */
  public <T> CompletableFuture<T> limited(
      LockKind kind, String lockName, String operation, CompletionStage<T> stage) {
    return limited(kind, lockName, operation, stage, timeout);
  }

  /** Puts a time-out of its own on an operation, but no longer one than the command time-out. */
  public <T> CompletableFuture<T> limited(
      LockKind kind, String lockName, String operation, CompletionStage<T> stage, Duration atMost) {
    Duration limit = atMost.compareTo(timeout) < 0 ? atMost : timeout;
    CompletableFuture<T> sent = started(() -> stage.toCompletableFuture()).toCompletableFuture();
    return begun(new Call<>(kind, lockName, operation, sent, limit, null));
  }

  private static <T> CompletableFuture<T> begun(Call<T> call) {
    call.begin();
    return call.result;
  }

  /** An operation that is under way, and what becomes of it. */
  private final class Call<T> extends Alarms.Alarm {
    final CompletableFuture<T> result = new CompletableFuture<>();
    private final LockKind kind;
    private final String lockName;
    private final String operation;
    private final CompletableFuture<T> sent;
    private final Duration limit;

    /** Who makes it and is watched, so that it needs no timer. */
    private final @Nullable CallerThread caller;

    Call(
        LockKind kind,
        String lockName,
        String operation,
        CompletableFuture<T> sent,
        Duration limit,
        @Nullable CallerThread caller) {
      this.kind = kind;
      this.lockName = lockName;
      this.operation = operation;
      this.sent = sent;
      this.limit = limit;
      this.caller = caller;
    }

    void begin() {
      if (!inFlight.begin()) {
        result.completeExceptionally(Lifecycle.closedFailure());
        sent.cancel(true);
        if (caller != null) {
          caller.ended();
        }
        return;
      }
      calls.add(this);
      if (inFlight.isEnded()) {
        abandon(); // the end has gone round meanwhile
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
        timeouts.set(this, ticker.nanos() + limit.toNanos());
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
      if (failure == null) {
        log.storeAnswered();
        end(() -> result.complete(value));
        return;
      }
      LockException typed = typed(failure, limit);
      boolean unwanted = caller != null && caller.isUnwanted(); // no fault of the store's
      end(
          () -> {
            if (!unwanted && typed instanceof LockStoreException cause) {
              events.tell(() -> new LockEvent.Failed(kind, lockName, operation, cause));
              log.storeFailed(operation, kind, lockName, cause);
            }
            result.completeExceptionally(typed);
          });
    }

    /** The stage ends by the cancellation; a store whose stages can't be cancelled is left. */
    private void giveUp() {
      Outbox.quietly(() -> sent.cancel(true));
      if (!sent.isDone()) {
        answered(null, timedOut(limit, null));
      }
    }

    void abandon() {
      end(() -> result.completeExceptionally(Lifecycle.closedFailure()));
      Outbox.quietly(() -> sent.cancel(true));
      if (caller != null) {
        Outbox.quietly(caller::cut);
      }
    }

    /**
     * It counts until those who wait for it have taken the answer in. Once, whatever has become of
     * the result: who gave it up has not ended the call. What comes second is told to nobody.
     */
    private void end(Runnable completion) {
      if (calls.remove(this)) {
        try {
          completion.run();
        } finally {
          inFlight.end();
        }
      }
    }
  }

  private static LockStoreException timedOut(Duration limit, @Nullable Throwable cause) {
    String message = "the store did not answer within " + Setting.written(limit);
    return cause == null
        ? new LockStoreException(Kind.TIMED_OUT, message)
        : new LockStoreException(Kind.TIMED_OUT, message, cause);
  }

  /** A stage that completes with nothing where an answer is due is no answer. */
  public static LockStoreException noAnswer() {
    return new LockStoreException(Kind.UNAVAILABLE, "the store completed a call without an answer");
  }

  private static LockException typed(Throwable failure, Duration limit) {
    Throwable cause = unwrapped(failure);
    return cause instanceof CancellationException ? timedOut(limit, cause) : typed(cause);
  }

  /** What a call failed with, as one of ours. */
  public static LockException typed(Throwable failure) {
    Throwable cause = unwrapped(failure);
    return cause instanceof LockException typed
        ? typed
        : new LockStoreException(
            Kind.UNAVAILABLE, "the store failed: " + Quoted.text(cause.toString()), cause);
  }

  /** Whether a call that failed may have run: what the store refused itself has changed nothing. */
  public static boolean mayHaveRun(@Nullable LockException failure) {
    return failure instanceof LockStoreException store && store.kind() != Kind.REFUSED;
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Ends: nothing is sent any more, and what is under way is left. */
  public void close() {
    inFlight.endNow();
    calls.forEach(Call::abandon);
    timeouts.close();
  }
}
