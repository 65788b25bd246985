package dev.leasehold.lock.internal.latch;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.Backoff;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats requests until the store answers. Only for idempotent requests, which stores recognize
 * for a limited time: a request fails after the store time-out without an answer, and before stores
 * may have forgotten it. Thread-safe, never blocks.
 */
final class RepeatedRequests {
  /** A little less than stores remember: the last repetition may still be in transit. */
  private static final Duration REMEMBERED = Latches.REMEMBERED.minusSeconds(30);

  private final Timing time;
  private final Duration storeTimeout;
  private final Set<Request<?>> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  RepeatedRequests(Timing time, Duration storeTimeout) {
    this.time = time;
    this.storeTimeout = storeTimeout.compareTo(REMEMBERED) < 0 ? storeTimeout : REMEMBERED;
  }

  /** Sends a request. A caller that completes the result itself has given it up. */
  <T> CompletableFuture<T> send(Supplier<CompletableFuture<T>> call) {
    Request<T> request = new Request<>(call);
    underWay.add(request);
    if (closed) {
      request.close(); // the close may have gone round meanwhile
    }
    request.result.whenComplete((value, failure) -> request.end());
    request.send();
    return request.result;
  }

  /** Fails all requests, those in flight and later ones. */
  void close() {
    closed = true;
    underWay.forEach(Request::close);
  }

  private final class Request<T> {
    final CompletableFuture<T> result = new CompletableFuture<>();
    private final Supplier<CompletableFuture<T>> call;
    private final long begun = time.now();
    private final Backoff backoff = new Backoff();
    private volatile Scheduler.@Nullable Scheduled timer;

    Request(Supplier<CompletableFuture<T>> call) {
      this.call = call;
    }

    void send() {
      if (result.isDone()) {
        return;
      }
      CompletableFuture<T> now;
      try {
        now = call.get();
      } catch (RuntimeException | Error e) { // a user's source of randomness, say
        result.completeExceptionally(StoreCalls.typed(e));
        return;
      }
      now.whenComplete(
          (value, failure) -> {
            if (failure == null) {
              result.complete(value);
            } else {
              failed(StoreCalls.typed(failure));
            }
          });
    }

    private void failed(LockException failure) {
      if (isLate() || !StoreCalls.mayHaveRun(failure)) {
        result.completeExceptionally(failure);
      } else if (!result.isDone()) {
        again(failure);
      }
    }

    private boolean isLate() {
      return time.since(begun).compareTo(storeTimeout) >= 0;
    }

    private void again(LockException failure) {
      try {
        timer = time.later(time.jittered(backoff.afterFailure()), () -> pauseEnded(failure));
      } catch (RuntimeException | Error e) { // without a timer it might never end
        result.completeExceptionally(StoreCalls.typed(e));
      }
      if (result.isDone()) {
        end(); // given up before the timer could be reached
      }
    }

    /** A process that stood still may be so late that the store remembers the request no more. */
    private void pauseEnded(LockException failure) {
      if (isLate()) {
        result.completeExceptionally(failure);
      } else {
        send();
      }
    }

    void close() {
      result.completeExceptionally(Lifecycle.closedFailure());
    }

    /**
     * Stops the repetition. A call in flight ends by its answer or its time-out, and counts as in
     * flight until then: the store may carry it out, so a close waits for it.
     */
    void end() {
      underWay.remove(this);
      Scheduler.Scheduled pending = timer;
      if (pending != null) {
        pending.cancel();
      }
    }
  }
}
