package dev.leasehold.testkit.fault;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What happens to a call on its way to the store, and to the answer on its way back. */
public final class StoreFault {
  private final Supplier<CompletionStage<Void>> before;
  private final Supplier<CompletionStage<Void>> after;

  private StoreFault(
      Supplier<CompletionStage<Void>> before, Supplier<CompletionStage<Void>> after) {
    this.before = before;
    this.after = after;
  }

  /** No fault: the call goes through. */
  public static StoreFault none() {
    return new StoreFault(StoreFault::atOnce, StoreFault::atOnce);
  }

  /** The call never reaches the store and is never answered. */
  public static StoreFault callLost() {
    return new StoreFault(CompletableFuture::new, StoreFault::atOnce);
  }

  /** The store executes the call, and its answer is lost. */
  public static StoreFault answerLost() {
    return new StoreFault(StoreFault::atOnce, CompletableFuture::new);
  }

  /** The call fails at once, without reaching the store. */
  public static StoreFault fails(Kind kind, String words) {
    return new StoreFault(failing(kind, words), StoreFault::atOnce);
  }

  /** The call itself throws instead of returning a stage. */
  public static StoreFault throwing(Supplier<Error> error) {
    return new StoreFault(
        () -> {
          throw error.get();
        },
        StoreFault::atOnce);
  }

  /** The store executes the call, and then the connection breaks. */
  public static StoreFault answerBroken() {
    return new StoreFault(
        StoreFault::atOnce, failing(Kind.UNREACHABLE, "the kit cut the connection"));
  }

  /** The call is sent when the gate opens; never, if it was withdrawn before that. */
  public static StoreFault callHeld(Gate gate) {
    return new StoreFault(gate::pass, StoreFault::atOnce);
  }

  /** The call is executed at once, and its answer arrives when the gate opens. */
  public static StoreFault answerHeld(Gate gate) {
    return new StoreFault(StoreFault::atOnce, gate::pass);
  }

  /** The call is executed at once, and its answer arrives after this delay. */
  public static StoreFault answerLate(Duration delay) {
    return new StoreFault(StoreFault::atOnce, () -> later(delay));
  }

  private static Supplier<CompletionStage<Void>> failing(Kind kind, String words) {
    return () -> CompletableFuture.failedFuture(new LockStoreException(kind, words));
  }

  private static CompletionStage<Void> later(Duration delay) {
    return CompletableFuture.runAsync(
        () -> {},
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, Runnable::run));
  }

  <T> CompletionStage<T> around(Supplier<? extends CompletionStage<T>> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    before
        .get()
        .whenComplete(
            (go, stopped) -> {
              if (stopped != null) {
                result.completeExceptionally(stopped);
              } else if (!result.isDone()) { // not withdrawn meanwhile
                send(call, result);
              }
            });
    return result;
  }

  private <T> void send(Supplier<? extends CompletionStage<T>> call, CompletableFuture<T> result) {
    CompletableFuture<T> sent = call.get().toCompletableFuture();
    result.whenComplete(
        (value, failure) -> {
          if (result.isCancelled()) {
            sent.cancel(true);
          }
        });
    sent.whenComplete(
        (value, failure) ->
            after
                .get()
                .whenComplete(
                    (go, lost) -> {
                      if (lost != null || failure != null) {
                        result.completeExceptionally(lost == null ? failure : lost);
                      } else {
                        result.complete(value);
                      }
                    }));
  }

  private static CompletionStage<Void> atOnce() {
    return CompletableFuture.completedFuture(null);
  }
}
