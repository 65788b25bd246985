package dev.leasehold.testkit.fault;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What happens to a call on its way to the store, and to its answer on the way back. */
public final class Fault {
  private static final Supplier<CompletionStage<Void>> NOTHING =
      () -> CompletableFuture.completedFuture(null);
  private static final Supplier<CompletionStage<Void>> NEVER = CompletableFuture::new;

  private final Supplier<CompletionStage<Void>> before;
  private final Supplier<CompletionStage<Void>> after;

  private Fault(Supplier<CompletionStage<Void>> before, Supplier<CompletionStage<Void>> after) {
    this.before = before;
    this.after = after;
  }

  /** None: the call goes through. */
  public static Fault none() {
    return new Fault(NOTHING, NOTHING);
  }

  /** It never reaches the store, and is never answered. */
  public static Fault callLost() {
    return new Fault(NEVER, NOTHING);
  }

  /** The store does it, and its answer is never heard. */
  public static Fault answerLost() {
    return new Fault(NOTHING, NEVER);
  }

  /** It fails at once, without reaching the store. */
  public static Fault fails(Kind kind, String words) {
    return new Fault(failing(kind, words), NOTHING);
  }

  /** The call itself throws, and no stage is returned. */
  public static Fault throwing(Supplier<Error> error) {
    return new Fault(
        () -> {
          throw error.get();
        },
        NOTHING);
  }

  /** The store does it, and then the connection breaks. */
  public static Fault answerBroken() {
    return new Fault(NOTHING, failing(Kind.UNREACHABLE, "the kit cut the connection"));
  }

  /** It is sent when the gate opens; if it was given up before that, never. */
  public static Fault callHeld(Gate gate) {
    return new Fault(gate::pass, NOTHING);
  }

  /** It is done at once, and its answer comes when the gate opens. */
  public static Fault answerHeld(Gate gate) {
    return new Fault(NOTHING, gate::pass);
  }

  /** It is done at once, and its answer comes after this time. */
  public static Fault answerLate(Duration delay) {
    return new Fault(NOTHING, () -> later(delay));
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
}
