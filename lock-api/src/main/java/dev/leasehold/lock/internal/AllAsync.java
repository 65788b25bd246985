package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.Step.Round;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * {@link AllOrNone} without blocking: one acquisition. Each step begins when the one before has
 * ended, so the fields need no guard but the order that the stages give.
 */
final class AllAsync {
  private final List<DistributedLock> locks;
  private final Clock clock;
  private final Supplier<RandomGenerator> random;
  private @Nullable Step<Lease> step;
  private final CompletableFuture<Optional<List<Lease>>> outcome = new CompletableFuture<>();
  private volatile @Nullable CompletableFuture<?> underWay;

  /** The question for several at once that is under way. */
  private volatile @Nullable CompletableFuture<?> question;

  /** What it has beside that. */
  private volatile List<Lease> beside = List.of();

  private Optional<Duration> wait = Optional.empty();
  private long begun;
  private int refusals;
  private volatile boolean timeIsUp;

  /** Claimed by who has all, or by the end of its time. */
  private final AtomicBoolean over = new AtomicBoolean();

  /** Whether another was seen to have one. */
  private volatile boolean contended;

  AllAsync(List<DistributedLock> locks, @Nullable Step<Lease> step, Clock clock) {
    this(locks, step, clock, ThreadLocalRandom::current);
  }

  /** With pauses that are drawn from there. */
  AllAsync(
      List<DistributedLock> locks,
      @Nullable Step<Lease> step,
      Clock clock,
      Supplier<RandomGenerator> random) {
    this.locks = locks;
    this.step = step;
    this.clock = clock;
    this.random = random;
  }

  /** Takes all, in at most this time; whoever completes the result otherwise gives up. */
  <R> CompletableFuture<R> take(
      Optional<Duration> atMost, Function<Optional<List<Lease>>, R> shape) {
    wait = atMost;
    begun = clock.ticker().nanos();
    CompletableFuture<R> result = new CompletableFuture<>();
    result.whenComplete(
        (value, failure) -> {
          if (outcome.cancel(false)) {
            giveBack(beside);
            cancel(question);
            cancel(underWay);
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
    begin();
    return result;
  }

  private void begin() {
    Step<Lease> atOnce = step;
    if (atOnce == null) {
      round(0);
    } else {
      together(
          atOnce,
          none(),
          this::beginWith,
          failure -> {
            if (isOver() || !(failure instanceof LockStoreException)) {
              outcome.completeExceptionally(failure);
            } else {
              round(0); // who waits is patient
            }
          });
    }
  }

  private static boolean cancel(@Nullable CompletableFuture<?> asked) {
    return asked != null && asked.cancel(false);
  }

  private void beginWith(int refused) {
    if (isOver() && (contended || !asksOnce())) {
      timedOut();
      return;
    }
    if (isOver()) {
      step = null; // one by one they find out
    }
    round(refused);
  }

  private boolean asksOnce() {
    return wait.equals(Optional.of(Duration.ZERO));
  }

  private boolean isOver() {
    return clock.left(wait, begun).equals(Optional.of(Duration.ZERO));
  }

  private List<@Nullable Lease> none() {
    return new ArrayList<>(Collections.nCopies(locks.size(), null));
  }

  /** The outcome when the time is up; empty means contended, and nothing else. */
  private void timedOut() {
    if (contended) {
      outcome.complete(Optional.empty());
    } else {
      outcome.completeExceptionally(StoreHealth.silent(clock.since(begun)));
    }
  }

  /** The time is up; what is asked for one lock is asked in vain. */
  private void end() {
    if (!over.compareAndSet(false, true)) {
      return; // it has all
    }
    timeIsUp = true;
    giveBack(beside);
    boolean ends = false;
    try {
      cancel(question); // first: what it leaves on the store must not refuse the caller's next call
      ends = cancel(underWay); // then that gives back first
    } finally {
      if (!ends) {
        timedOut();
      }
    }
  }

  /** Ends a wait in time though the store says nothing; without a wait, its answer ends it. */
  private Scheduler.Scheduled ending() {
    return wait.filter(time -> !time.isZero())
        .flatMap(time -> clock.left(wait, begun))
        .map(left -> clock.scheduler().schedule(left, this::end))
        .orElse(() -> {});
  }

  /**
   * Asks for all that are not taken yet by one question. Cancelled, it gives back itself what is
   * granted all the same.
   */
  private void together(
      Step<Lease> atOnce,
      List<@Nullable Lease> taken,
      IntConsumer refused,
      Consumer<Throwable> failed) {
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at < taken.size(); at++) {
      if (taken.get(at) == null) {
        places.add(at);
      }
    }
    underWay = null;
    beside = present(taken);
    Scheduler.Scheduled ending = ending();
    CompletableFuture<Round<Lease>> asked =
        StoreCalls.started(() -> atOnce.take(places, present(taken))).toCompletableFuture();
    question = asked;
    if (outcome.isDone() || timeIsUp) { // given up before it could be seen
      giveBack(beside);
      asked.cancel(false);
    }
    asked.whenCompleteAsync(
        (round, failure) -> {
          ending.cancel();
          beside = List.of();
          question = null;
          if (asked.isCancelled()) {
            return; // by one who ends this
          }
          if (failure != null && Together.isRefused(cause(failure))) {
            step = null;
            goOn(taken, places.get(0));
          } else if (failure != null) {
            failed.accept(cause(failure));
          } else if (round.refused() != Round.NONE) {
            contended |= !round.inDoubt();
            refused.accept(places.get(round.refused()));
          } else {
            for (int i = 0; i < places.size(); i++) {
              taken.set(places.get(i), round.taken().get(i));
            }
            next(taken, 0);
          }
        },
        clock.executor());
  }

  /** One by one. */
  private void goOn(List<@Nullable Lease> taken, int missing) {
    if (present(taken).isEmpty()) {
      round(0);
    } else {
      next(taken, missing);
    }
  }

  private void round(int first) {
    if (outcome.isDone()) {
      return; // given up in the pause
    }
    List<@Nullable Lease> taken = none();
    DistributedLock lock = locks.get(first);
    Optional<Duration> left = clock.left(wait, begun);
    if (left.isPresent()) {
      step(
          () -> lock.tryAcquireAsync(left.get()),
          Function.identity(),
          taken,
          first,
          () -> outcome.complete(Optional.empty()),
          () -> {}); // ends in time by itself
    } else {
      step(lock::acquireAsync, Optional::of, taken, first, () -> {}, () -> {});
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
      Runnable refused,
      Scheduler.Scheduled ending) {
    CompletableFuture<S> asked =
        StoreCalls.started(() -> call.get().toCompletableFuture()).toCompletableFuture();
    underWay = asked;
    if (outcome.isDone() || timeIsUp) { // given up before it could be reached
      asked.cancel(false);
    }
    asked
        .thenApply(found)
        .whenComplete(
            (one, failure) -> {
              ending.cancel();
              if (one == null) {
                giveBack(present(taken));
                if (timeIsUp || (contended && isOver() && isOfTheStore(failure))) {
                  timedOut();
                } else {
                  outcome.completeExceptionally(failure == null ? noAnswer(at) : cause(failure));
                }
              } else if (one.isEmpty()) {
                contended = true;
                refused.run();
              } else {
                taken.set(at, one.get());
                contended |= AllLeases.wasOthers(one.get());
                next(taken, at);
              }
            });
  }

  private static boolean isOfTheStore(@Nullable Throwable failure) {
    return failure != null && cause(failure) instanceof LockStoreException;
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
      if (!over.compareAndSet(false, true) || !outcome.complete(Optional.of(all))) {
        giveBack(all);
      }
      return;
    }
    int asked = missing;
    Step<Lease> atOnce = step;
    if (atOnce != null) {
      together(
          atOnce,
          taken,
          at -> refused(taken, at),
          failure -> {
            giveBack(present(taken));
            outcome.completeExceptionally(failure);
          });
      return;
    }
    step(
        () -> locks.get(asked).tryAcquireAsync(Duration.ZERO),
        Function.identity(),
        taken,
        asked,
        () -> refused(taken, asked),
        ending());
  }

  /** Gives all back, and begins with the refused one after a pause. */
  private void refused(List<@Nullable Lease> taken, int at) {
    Scheduler.Scheduled ending = ending(); // the store may be what takes so long
    giveBack(present(taken))
        .whenCompleteAsync( // what depends on the outcome must not run on a manager's own thread
            (done, failure) -> {
              ending.cancel();
              if (isOver()) {
                timedOut();
              } else if (!outcome.isDone()) {
                Duration pause = RandomPause.after(refusals++, random.get());
                Duration left = clock.left(wait, begun).orElse(pause);
                clock
                    .scheduler()
                    .schedule(left.compareTo(pause) < 0 ? left : pause, () -> beginWith(at));
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
