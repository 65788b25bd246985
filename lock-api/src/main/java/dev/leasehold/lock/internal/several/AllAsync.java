package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.several.AcquiredParts.Part;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import dev.leasehold.lock.internal.threads.Clock;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several things, all or none. It never holds one while it waits for another, so two
 * callers cannot deadlock, whatever order they name them in. It waits for one and requests the
 * rest; after a refusal it releases all, pauses at random, and then waits for the refused one
 * first. With a {@link CombinedStep} it requests all of them, or the rest, by one call.
 *
 * <p>Never blocks, unless its parts do: {@link AllOrNone} is the blocking form. Each step begins
 * after the previous one has ended, so the fields need no guard.
 */
public final class AllAsync<T> {
  private static final int MOST_DOUBTS = 3; // of a caller that asks once, with a part each

  private final List<? extends Part<T>> parts;

  private @Nullable CombinedStep<T> step; // null also once the store itself refused
  private final GatherContext context;
  private final Clock clock;
  private final CompletableFuture<Optional<List<T>>> outcome = new CompletableFuture<>();
  private volatile Turn current;
  private Optional<Duration> wait = Optional.empty();
  private long begun;
  private int refusals;

  private volatile boolean contended; // another was seen to hold one
  private volatile @Nullable Throwable thrown;
  private volatile CompletableFuture<Void> back = CompletableFuture.completedFuture(null);

  AllAsync(List<? extends Part<T>> parts, @Nullable CombinedStep<T> step, GatherContext context) {
    this.parts = parts;
    this.step = step;
    this.context = context;
    this.clock = context.clock();
    this.current = new Turn(none());
  }

  private AcquiredParts<T> none() {
    return new AcquiredParts<>(parts);
  }

  /**
   * The step in flight, and the parts acquired before it. Whatever ends it first continues with
   * both: its answer, the time-out, or a caller that gives up.
   */
  private final class Turn {
    final AcquiredParts<T> acquired;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable CompletableFuture<?> asked;

    Turn(AcquiredParts<T> acquired) {
      this.acquired = acquired;
    }

    boolean end() {
      return ended.compareAndSet(false, true);
    }

    void asks(CompletableFuture<?> question) {
      asked = question;
      if (ended.get()) { // before the step was sent
        question.cancel(false);
      }
    }

    /** Ends it without an answer. Returns false if it had ended. */
    boolean giveUp() {
      if (!end()) {
        return false;
      }
      acquired.giveBack();
      CompletableFuture<?> question = asked;
      if (question != null) {
        question.cancel(false);
      }
      return true;
    }
  }

  private Turn turn(AcquiredParts<T> acquired) {
    Turn turn = new Turn(acquired);
    current = turn;
    if (outcome.isDone()) { // given up before the step was visible
      turn.giveUp();
    }
    return turn;
  }

  /** Acquires all within this time; a caller that completes the result itself gives up. */
  public <R> CompletableFuture<R> take(
      Optional<Duration> atMost, Function<Optional<List<T>>, R> shape) {
    wait = atMost;
    begun = clock.ticker().nanos();
    CompletableFuture<R> result = new CompletableFuture<>();
    result.whenComplete(
        (value, failure) -> {
          if (outcome.cancel(false)) {
            current.giveUp();
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
              found.ifPresent(all -> none().with(none().missing(0), Round.of(all)).giveBack());
            }
          } catch (RuntimeException | Error e) { // then nothing of it is held
            result.completeExceptionally(e);
          }
        });
    CombinedStep<T> atOnce = step;
    if (atOnce == null) {
      round(0);
    } else {
      together(atOnce, none());
    }
    return result;
  }

  private void beginWith(int refused) {
    if (mustEnd()) {
      timedOut();
      return;
    }
    if (asksOnce() && refusals == MOST_DOUBTS) {
      step = null; // one by one, each resolves its own doubt: that ends for sure
    }
    round(refused);
  }

  /** Whether the time is up. A caller that asks once has none, but a doubt is not its answer. */
  private boolean mustEnd() {
    return isOver() && (contended || !asksOnce());
  }

  private boolean asksOnce() {
    return wait.equals(Optional.of(Duration.ZERO));
  }

  private boolean isOver() {
    return clock.left(wait, begun).equals(Optional.of(Duration.ZERO));
  }

  /** Returns what is left of the time to wait; empty if only answers end it. */
  Optional<Duration> left() {
    return clock.left(wait.filter(time -> !time.isZero()), begun);
  }

  /** Whether the time is up, and others were seen. */
  boolean isRefused() {
    return contended && isOver();
  }

  /** Returns whether a part threw it when it was requested. */
  boolean hasThrown(@Nullable Throwable failure) {
    return failure == thrown;
  }

  /** Completes when nothing is held any more, after a failure. */
  CompletableFuture<Void> back() {
    return back;
  }

  /** The outcome when the time is up; empty means contended, and nothing else. */
  private void timedOut() {
    if (contended) {
      outcome.complete(Optional.empty());
    } else {
      outcome.completeExceptionally(StoreHealth.silent(clock.since(begun)));
    }
  }

  /** Fails; if another was seen to hold a part, a failing store still means a refusal. */
  private void failed(AcquiredParts<T> acquired, Throwable failure) {
    back = acquired.giveBack();
    if (isRefused() && failure instanceof LockStoreException) {
      timedOut();
    } else {
      outcome.completeExceptionally(failure);
    }
  }

  /** The time is up, for a thread that makes all steps itself: the step in flight ends. */
  void timeUp() {
    timeUp(current);
  }

  private void timeUp(Turn turn) {
    boolean ends = true;
    try {
      ends = turn.giveUp(); // first: what it leaves behind must not refuse the caller's next call
    } finally {
      if (ends) {
        timedOut();
      }
    }
  }

  /** Ends a wait in time though the store says nothing; without a wait, its answer ends it. */
  private Scheduler.Scheduled ending(Turn turn) {
    return left()
        .map(left -> later(context.ends(), left, turn, () -> timeUp(turn)))
        .orElse(() -> {});
  }

  /** Fails, because without a timer the step might never end. */
  private Scheduler.Scheduled later(Scheduler timers, Duration delay, Turn turn, Runnable task) {
    try {
      return timers.schedule(delay, task);
    } catch (RuntimeException | Error e) {
      outcome.completeExceptionally(e);
      turn.giveUp();
      return () -> {};
    }
  }

  /**
   * Requests all missing parts by one call. If cancelled, it releases by itself what is granted all
   * the same.
   */
  private void together(CombinedStep<T> atOnce, AcquiredParts<T> acquired) {
    List<Integer> places = acquired.missing(0);
    Turn turn = turn(acquired);
    Scheduler.Scheduled ending = ending(turn);
    CompletableFuture<Round<T>> asked =
        StoreCalls.started(() -> atOnce.take(places, acquired.all())).toCompletableFuture();
    turn.asks(asked);
    asked.whenCompleteAsync(
        (round, failure) -> {
          ending.cancel();
          if (!turn.end()) {
            if (failure == null) { // granted at the same moment
              none().with(places, round).giveBack();
            }
          } else if (failure != null) {
            troubled(acquired, Waits.cause(failure));
          } else if (round.refused() == Round.NONE) {
            next(acquired.with(places, round), 0);
          } else {
            contended |= !round.inDoubt();
            refused(acquired, places.get(round.refused()));
          }
        },
        clock.executor());
  }

  /** A caller that waits is patient while it has nothing yet. */
  private void troubled(AcquiredParts<T> acquired, Throwable failure) {
    boolean oneByOne = CombinedNames.isRefused(failure);
    if (oneByOne) {
      step = null;
    }
    boolean patient = oneByOne || (failure instanceof LockStoreException && !isOver());
    if (patient && acquired.isEmpty()) {
      round(0);
    } else if (oneByOne) {
      next(acquired, 0);
    } else {
      failed(acquired, failure);
    }
  }

  private void round(int first) {
    if (outcome.isDone()) {
      return;
    }
    Optional<Duration> left = clock.left(wait, begun);
    ask(
        turn(none()),
        first,
        () -> parts.get(first).await(left),
        () -> outcome.complete(Optional.empty()),
        () -> {}); // ends in time by itself
  }

  /** Handles the answer of one part. */
  private void ask(
      Turn turn,
      int at,
      Callable<CompletableFuture<Optional<T>>> question,
      Runnable refused,
      Scheduler.Scheduled ending) {
    CompletableFuture<Optional<T>> asked = started(question);
    turn.asks(asked);
    asked.whenCompleteAsync(
        (one, failure) -> {
          ending.cancel();
          if (!turn.end()) {
            if (one != null) { // granted at the same moment
              one.ifPresent(late -> none().with(at, late).giveBack());
            }
          } else if (failure != null) {
            failed(turn.acquired, Waits.cause(failure));
          } else if (one == null) {
            String words = parts.get(at) + " completed a call without an answer";
            failed(turn.acquired, new IllegalStateException(words));
          } else if (one.isEmpty()) {
            contended = true;
            refused.run();
          } else {
            contended |= parts.get(at).wasOthers(one.get());
            next(turn.acquired.with(at, one.get()), at);
          }
        },
        context.answers());
  }

  private CompletableFuture<Optional<T>> started(
      Callable<CompletableFuture<Optional<T>>> question) {
    try {
      return question.call();
    } catch (Exception | Error e) {
      thrown = e;
      return CompletableFuture.failedFuture(e);
    }
  }

  private void next(AcquiredParts<T> acquired, int after) {
    List<Integer> missing = acquired.missing(after);
    if (missing.isEmpty() || outcome.isDone()) {
      if (!outcome.complete(Optional.of(acquired.all()))) {
        acquired.giveBack();
      }
      return;
    }
    CombinedStep<T> atOnce = step;
    if (atOnce != null && isOver() && !asksOnce()) {
      timeUp(turn(acquired));
    } else if (atOnce != null) {
      together(atOnce, acquired);
    } else {
      int at = missing.get(0);
      Part<T> part = parts.get(at);
      Turn turn = turn(acquired);
      Callable<CompletableFuture<Optional<T>>> question =
          () -> asksOnce() ? part.await(wait) : part.ask();
      ask(turn, at, question, () -> refused(acquired, at), ending(turn));
    }
  }

  /** Releases the acquired parts, pauses, and then waits for the refused one first. */
  private void refused(AcquiredParts<T> acquired, int at) {
    if (acquired.isEmpty()) {
      beginWith(at);
      return;
    }
    Turn turn = turn(none());
    Scheduler.Scheduled ending = ending(turn); // perhaps because the store is slow
    acquired
        .giveBack()
        .whenCompleteAsync( // dependents of the outcome must not run on a manager's own thread
            (done, failure) -> {
              ending.cancel();
              if (turn.end()) {
                pause(at);
              }
            },
            clock.executor());
  }

  private void pause(int at) {
    if (mustEnd()) {
      timedOut();
      return;
    }
    Turn turn = turn(none());
    Duration pause = context.pauseAfter(refusals++);
    Duration left = clock.left(wait, begun).orElse(pause);
    later(
        clock.scheduler(),
        left.compareTo(pause) < 0 ? left : pause,
        turn,
        () -> {
          if (turn.end()) {
            beginWith(at);
          }
        });
  }
}
