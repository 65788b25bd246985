package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@link AllOrNone} without blocking: one acquisition. Each step begins when the one before has
 * ended, so the fields need no guard but the order that the stages give.
 */
final class AllAsync {
  private final List<DistributedLock> locks;
  private final Clock clock;
  private final CompletableFuture<Optional<List<Lease>>> outcome = new CompletableFuture<>();
  private volatile @Nullable CompletableFuture<?> underWay;
  private Optional<Duration> wait = Optional.empty();
  private long begun;
  private int refusals;

  AllAsync(List<DistributedLock> locks, Clock clock) {
    this.locks = locks;
    this.clock = clock;
  }

  /** Takes all, in at most this time; whoever completes the result otherwise gives up. */
  <R> CompletableFuture<R> take(
      Optional<Duration> atMost, Function<Optional<List<Lease>>, R> shape) {
    wait = atMost;
    begun = clock.ticker().nanos();
    CompletableFuture<R> result = new CompletableFuture<>();
    result.whenComplete(
        (value, failure) -> {
          CompletableFuture<?> asked = underWay;
          if (outcome.cancel(false) && asked != null) {
            asked.cancel(false);
          }
        });
    outcome.whenComplete(
        (found, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
            return;
          }
          try {
            if (!result.complete(shape.apply(found))) {
              found.ifPresent(AllAsync::giveBack);
            }
          } catch (RuntimeException | Error e) { // then nothing of it is held
            result.completeExceptionally(e);
          }
        });
    round(0);
    return result;
  }

  private void round(int first) {
    if (outcome.isDone()) {
      return; // given up in the pause
    }
    List<@Nullable Lease> taken = new ArrayList<>(Collections.nCopies(locks.size(), null));
    DistributedLock lock = locks.get(first);
    Optional<Duration> left = clock.left(wait, begun);
    if (left.isPresent()) {
      step(
          () -> lock.tryAcquireAsync(left.get()),
          Function.identity(),
          taken,
          first,
          () -> outcome.complete(Optional.empty()));
    } else {
      step(lock::acquireAsync, Optional::of, taken, first, () -> {});
    }
  }

  /**
   * Takes in what one lock said; a cancellation reaches the lock's own stage. A lock may be
   * anybody's: whatever it throws, or answers, is its failure.
   */
  private <S> void step(
      Supplier<? extends CompletionStage<S>> call,
      Function<S, Optional<Lease>> found,
      List<@Nullable Lease> taken,
      int at,
      Runnable refused) {
    CompletableFuture<S> asked =
        StoreCalls.started(() -> call.get().toCompletableFuture()).toCompletableFuture();
    underWay = asked;
    if (outcome.isDone()) { // given up before it could be reached
      asked.cancel(false);
    }
    asked
        .thenApply(found)
        .whenComplete(
            (one, failure) -> {
              if (one == null) {
                giveBack(present(taken));
                outcome.completeExceptionally(failure == null ? noAnswer(at) : cause(failure));
              } else if (one.isEmpty()) {
                refused.run();
              } else {
                taken.set(at, one.get());
                next(taken, at);
              }
            });
  }

  private IllegalStateException noAnswer(int at) {
    return new IllegalStateException(locks.get(at) + " completed a call without an answer");
  }

  private void next(List<@Nullable Lease> taken, int after) {
    int missing = -1;
    for (int i = 0; i < taken.size() && missing < 0; i++) {
      int at = (after + i) % taken.size();
      missing = taken.get(at) == null ? at : -1;
    }
    if (missing < 0 || outcome.isDone()) {
      List<Lease> all = present(taken);
      if (!outcome.complete(Optional.of(all))) {
        giveBack(all);
      }
      return;
    }
    int asked = missing;
    step(
        () -> locks.get(asked).tryAcquireAsync(Duration.ZERO),
        Function.identity(),
        taken,
        asked,
        () -> refused(taken, asked));
  }

  /** Gives all back, and begins with the refused one after a pause. */
  private void refused(List<@Nullable Lease> taken, int at) {
    giveBack(present(taken))
        .whenCompleteAsync( // what depends on the outcome must not run on a manager's own thread
            (done, failure) -> {
              if (clock.left(wait, begun).equals(Optional.of(Duration.ZERO))) {
                outcome.complete(Optional.empty());
              } else if (!outcome.isDone()) {
                clock.scheduler().schedule(AllOrNone.pause(refusals++), () -> round(at));
              }
            },
            clock.executor());
  }

  private static List<Lease> present(List<@Nullable Lease> taken) {
    return taken.stream().filter(Objects::nonNull).map(Objects::requireNonNull).toList();
  }

  private static CompletableFuture<Void> giveBack(List<Lease> leases) {
    return CompletableFuture.allOf(
        leases.stream().map(AllLeases::giveBackUnused).toArray(CompletableFuture<?>[]::new));
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
