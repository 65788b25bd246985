package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The parts that one acquisition of several has acquired. Its steps never overlap. */
public final class AcquiredParts<T> {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  /** A part. Whatever it throws, or its stage fails with, is its failure. */
  public interface Part<T> {
    /** Waits for it, at most for this time; zero means a single attempt. May block. */
    CompletableFuture<Optional<T>> await(Optional<Duration> wait) throws InterruptedException;

    /**
     * Makes a single attempt; an asynchronous part answers later. Cancellation gives up: a part
     * that is granted all the same is released.
     */
    CompletableFuture<Optional<T>> ask();

    /** Returns whether others are known to have held it during the wait. */
    boolean wasOthers(T taken);

    /** Completes when it is back. */
    CompletableFuture<Void> giveBack(T taken);
  }

  private final List<? extends Part<T>> parts;

  /** By their places. */
  private final TreeMap<Integer, T> taken = new TreeMap<>();

  /** Nothing yet. */
  AcquiredParts(List<? extends Part<T>> parts) {
    this.parts = parts;
  }

  boolean isEmpty() {
    return taken.isEmpty();
  }

  AcquiredParts<T> with(int at, T one) {
    taken.put(at, one);
    return this;
  }

  /** Adds the answers for these places. */
  AcquiredParts<T> with(List<Integer> places, Round<T> round) {
    for (int i = 0; i < round.taken().size(); i++) {
      taken.put(places.get(i), round.taken().get(i));
    }
    return this;
  }

  /** Returns the places of missing parts in cyclic order, beginning there. */
  List<Integer> missing(int first) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      int at = (first + i) % parts.size();
      if (!taken.containsKey(at)) {
        places.add(at);
      }
    }
    return places;
  }

  /** Returns the acquired parts, in the order of their places. */
  List<T> all() {
    return List.copyOf(taken.values());
  }

  /** Releases the acquired parts; completes when they are released, and never fails. */
  CompletableFuture<Void> giveBack() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    taken
        .descendingMap()
        .forEach(
            (at, one) ->
                all.add(
                    StoreCalls.started(() -> parts.get(at).giveBack(one))
                        .toCompletableFuture()
                        .exceptionally(AcquiredParts::notGivenBack)));
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
  }

  /** Lost, released later, or of a lock that is not ours. */
  private static @Nullable Void notGivenBack(Throwable failure) {
    LOG.log(Level.DEBUG, "one of several locks was not released", failure);
    return null;
  }
}
