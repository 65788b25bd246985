package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.Step.Round;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Takes several things, all or none, without ever holding one while it waits for another: so nobody
 * can block anybody for ever, in whatever order they are named. It waits for one and tries the
 * rest; at a refusal it gives all back, pauses at random, and waits for the refused one first.
 * Where there is a {@link Step}, it asks for all by one question before it waits, and for the rest
 * by one when it has waited.
 */
final class AllOrNone<T> {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  /** One of them. */
  interface Part<T> {
    T take() throws InterruptedException;

    Optional<T> tryTake();

    /**
     * Asks once; where the answer need not be waited for, it comes later. A cancellation gives up:
     * what comes all the same goes back.
     */
    CompletableFuture<Optional<T>> ask();

    Optional<T> tryTake(Duration wait) throws InterruptedException;

    /** Whether others are known to have had it while it was waited for. */
    boolean wasOthers(T taken);

    /** By the calling thread; completes when it is back. */
    CompletableFuture<Void> giveBack(T taken);
  }

  private final List<? extends Part<T>> parts;
  private final @Nullable Step<T> step;
  private final Clock clock;

  AllOrNone(List<? extends Part<T>> parts, @Nullable Step<T> step, Clock clock) {
    this.parts = parts;
    this.step = step;
    this.clock = clock;
  }

  /** Asks once for each. */
  Optional<List<T>> tryTake() {
    Taken taken = new Taken();
    if (step != null) {
      List<Integer> places = taken.missing();
      try {
        Round<T> round = Waits.join(step.take(places, List.of()));
        int refused = taken.in(places, round);
        if (!round.inDoubt()) { // one by one they find out
          return refused < 0 ? Optional.of(taken.all()) : Optional.empty();
        }
      } catch (LockStoreException e) {
        if (!Together.isRefused(e)) {
          throw e;
        }
      }
    }
    try {
      if (taken.oneByOne(0) < 0) {
        return Optional.of(taken.all());
      }
    } catch (RuntimeException | Error e) {
      Waits.join(taken.giveBack());
      throw e;
    }
    Waits.join(taken.giveBack());
    return Optional.empty();
  }

  /** Waits until it has all, or for at most this time. */
  Optional<List<T>> take(Optional<Duration> wait) throws InterruptedException {
    Waiting waiting = new Waiting(wait);
    try {
      return waiting.take();
    } catch (TimeoutException e) {
      return waiting.timedOut();
    } catch (LockStoreException e) {
      return waiting.unanswered(e);
    }
  }

  /** One acquisition that waits. */
  private final class Waiting {
    private final Optional<Duration> wait;
    private final long begun = clock.ticker().nanos();

    /** Null once the store itself refused to take them so. */
    private @Nullable Step<T> atOnce = step;

    /** Whether another was seen to have one. */
    private boolean contended;

    Waiting(Optional<Duration> wait) {
      this.wait = wait;
    }

    Optional<List<T>> take() throws InterruptedException, TimeoutException {
      int first = 0;
      if (atOnce != null) {
        Taken taken = new Taken();
        first = patiently(atOnce, taken);
        if (first < 0) {
          return Optional.of(taken.all());
        }
      }
      for (int refusals = 0; ; refusals++) {
        Taken taken = new Taken();
        Optional<Duration> left = clock.left(wait, begun);
        Part<T> part = parts.get(first);
        Optional<T> one = left.isPresent() ? part.tryTake(left.get()) : Optional.of(part.take());
        if (one.isEmpty()) {
          return Optional.empty();
        }
        taken.add(first, one.get());
        contended |= part.wasOthers(one.get());
        int refused = rest(taken, first);
        if (refused < 0) {
          return Optional.of(taken.all());
        }
        await(taken.giveBack());
        if (!isOver()) {
          await(after(RandomPause.after(refusals, ThreadLocalRandom.current())));
        }
        if (isOver()) {
          return timedOut();
        }
        first = refused;
      }
    }

    /** What another was seen to have stays contended. */
    Optional<List<T>> unanswered(LockStoreException e) {
      if (contended && isOver()) {
        return Optional.empty();
      }
      throw e;
    }

    /** What became of it when its time was up; empty means contended, and nothing else. */
    Optional<List<T>> timedOut() {
      if (contended) {
        return Optional.empty();
      }
      throw StoreHealth.silent(clock.since(begun));
    }

    private boolean isOver() {
      return clock.left(wait, begun).equals(Optional.of(Duration.ZERO));
    }

    /**
     * All by one question; a failure is left to those who wait, who are patient, if there is time.
     *
     * @return the place to wait for; -1 if it has all
     */
    private int patiently(Step<T> step, Taken taken) throws InterruptedException, TimeoutException {
      try {
        int refused = together(step, taken);
        if (refused >= 0 && isOver()) {
          throw new TimeoutException();
        }
        return refused;
      } catch (LockStoreException e) {
        if (Together.isRefused(e)) {
          atOnce = null;
        } else if (isOver()) {
          throw e;
        }
        return 0;
      }
    }

    /**
     * Takes those that are not taken yet, beginning after this one.
     *
     * @return the place of one that was refused; -1 if none was
     */
    private int rest(Taken taken, int after) throws InterruptedException, TimeoutException {
      try {
        return restOf(taken, after);
      } catch (RuntimeException | Error e) {
        awaitQuietly(taken.giveBack());
        throw e;
      } catch (InterruptedException | TimeoutException e) { // the store may be what takes so long
        taken.giveBack();
        throw e;
      }
    }

    private int restOf(Taken taken, int after) throws InterruptedException, TimeoutException {
      Step<T> step = atOnce;
      if (step != null) {
        try {
          return together(step, taken);
        } catch (LockStoreException e) {
          if (!Together.isRefused(e)) {
            throw e;
          }
          atOnce = null;
        }
      }
      for (int at : taken.missingAfter(after)) {
        Optional<T> one = asked(at);
        if (one.isEmpty()) {
          contended = true;
          return at;
        }
        taken.add(at, one.get());
      }
      return -1;
    }

    private Optional<T> asked(int at) throws InterruptedException, TimeoutException {
      CompletableFuture<Optional<T>> asked = parts.get(at).ask();
      try {
        return await(asked);
      } catch (InterruptedException | TimeoutException e) {
        if (!asked.cancel(false)) { // it came at the same moment
          asked.thenAccept(found -> found.ifPresent(late -> parts.get(at).giveBack(late)));
        }
        throw e;
      }
    }

    /** Waits for what goes on by itself if the time is up, or the thread is interrupted. */
    private <R> R await(CompletableFuture<R> future) throws InterruptedException, TimeoutException {
      Optional<Duration> left = clock.left(wait, begun);
      try {
        return left.isPresent()
            ? future.get(left.get().toNanos(), TimeUnit.NANOSECONDS)
            : future.get();
      } catch (ExecutionException e) {
        throw Waits.unwrapped(e);
      }
    }

    private void awaitQuietly(CompletableFuture<?> future) {
      try {
        await(future);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (TimeoutException e) {
        LOG.log(Level.DEBUG, "one of several locks is still being given back", e);
      }
    }

    /** Given up, it gives back itself what comes all the same. */
    private int together(Step<T> step, Taken taken) throws InterruptedException, TimeoutException {
      if (isOver()) {
        throw new TimeoutException();
      }
      List<Integer> places = taken.missing();
      CompletableFuture<Round<T>> asked = step.take(places, taken.all());
      try {
        Round<T> round = await(asked);
        contended |= round.refused() != Round.NONE && !round.inDoubt();
        return taken.in(places, round);
      } catch (InterruptedException | TimeoutException e) {
        if (!asked.cancel(false)) { // it came at the same moment
          asked.thenAccept(
              round -> {
                if (round.refused() == Round.NONE) {
                  Taken late = new Taken();
                  late.in(places, round);
                  late.giveBack();
                }
              });
        }
        throw e;
      }
    }
  }

  /** Lost, released later, or anybody's lock. */
  private static @Nullable Void notGivenBack(Throwable failure) {
    LOG.log(Level.DEBUG, "one of several locks was not given back", failure);
    return null;
  }

  private CompletableFuture<Void> after(Duration pause) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    clock.scheduler().schedule(pause, () -> over.complete(null));
    return over;
  }

  /** What was taken in one round. */
  private final class Taken {
    private final List<@Nullable T> taken = new ArrayList<>();

    Taken() {
      parts.forEach(part -> taken.add(null));
    }

    void add(int at, T one) {
      taken.set(at, one);
    }

    /** The places of those that are not taken yet. */
    List<Integer> missing() {
      List<Integer> places = new ArrayList<>();
      for (int at = 0; at < taken.size(); at++) {
        if (taken.get(at) == null) {
          places.add(at);
        }
      }
      return places;
    }

    /**
     * Takes in what was answered for these places.
     *
     * @return the place of one that was refused; -1 if none was
     */
    int in(List<Integer> places, Round<T> round) {
      if (round.refused() != Round.NONE) {
        return places.get(round.refused());
      }
      for (int i = 0; i < places.size(); i++) {
        add(places.get(i), round.taken().get(i));
      }
      return -1;
    }

    /** Those that are not taken yet, beginning after this one; returns as {@link #in}. */
    int oneByOne(int after) {
      for (int at : missingAfter(after)) {
        Optional<T> one = parts.get(at).tryTake();
        if (one.isEmpty()) {
          return at;
        }
        add(at, one.get());
      }
      return -1;
    }

    /** The same as {@link #missing}, beginning there. */
    List<Integer> missingAfter(int first) {
      List<Integer> places = missing();
      Collections.rotate(places, -(int) places.stream().filter(at -> at < first).count());
      return places;
    }

    /** Gives back what there is; completes when it is. */
    CompletableFuture<Void> giveBack() {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int at = parts.size() - 1; at >= 0; at--) {
        T one = taken.get(at);
        if (one != null) {
          Part<T> part = parts.get(at);
          all.add(
              StoreCalls.started(() -> part.giveBack(one))
                  .toCompletableFuture()
                  .exceptionally(AllOrNone::notGivenBack));
        }
      }
      return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    List<T> all() {
      List<T> all = new ArrayList<>();
      for (T one : taken) {
        if (one != null) {
          all.add(one);
        }
      }
      return List.copyOf(all);
    }
  }
}
