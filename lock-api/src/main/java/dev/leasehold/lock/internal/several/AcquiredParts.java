package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What one acquisition has of several parts. Guarded by the order of its steps. */
public final class AcquiredParts<T> {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  /** One of them. Whatever it throws, or answers, is its failure. */
  public interface Part<T> {
    /** Waits for it, for at most this time; by a time of zero it asks once. May block. */
    CompletableFuture<Optional<T>> await(Optional<Duration> wait) throws InterruptedException;

    /**
     * Asks once; where the answer need not be waited for, it comes later. A cancellation gives up:
     * what comes all the same goes back.
     */
    CompletableFuture<Optional<T>> ask();

    /** Whether others are known to have had it while it was waited for. */
    boolean wasOthers(T taken);

    /** Completes when it is back. */
    CompletableFuture<Void> giveBack(T taken);
  }

  private final List<? extends Part<T>> parts;
  private final List<@Nullable T> taken;

  /** Nothing yet. */
  AcquiredParts(List<? extends Part<T>> parts) {
    this.parts = parts;
    this.taken = new ArrayList<>(Collections.nCopies(parts.size(), null));
  }

  boolean isEmpty() {
    return taken.stream().allMatch(Objects::isNull);
  }

  AcquiredParts<T> with(int at, T one) {
    taken.set(at, one);
    return this;
  }

  /** With what was answered for these places. */
  AcquiredParts<T> with(List<Integer> places, Round<T> round) {
    for (int i = 0; i < round.taken().size(); i++) {
      taken.set(places.get(i), round.taken().get(i));
    }
    return this;
  }

  /** The places of those that are missing, in turn, beginning there. */
  List<Integer> missing(int first) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < taken.size(); i++) {
      int at = (first + i) % taken.size();
      if (taken.get(at) == null) {
        places.add(at);
      }
    }
    return places;
  }

  /** Those that are taken, in the order of their places. */
  List<T> all() {
    List<T> all = new ArrayList<>();
    for (T one : taken) {
      if (one != null) {
        all.add(one);
      }
    }
    return List.copyOf(all);
  }

  /** Gives back what there is; completes when it is back, and never fails. */
  CompletableFuture<Void> giveBack() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int at = parts.size() - 1; at >= 0; at--) {
      T one = taken.get(at);
      if (one != null) {
        Part<T> part = parts.get(at);
        all.add(
            StoreCalls.started(() -> part.giveBack(one))
                .toCompletableFuture()
                .exceptionally(AcquiredParts::notGivenBack));
      }
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
  }

  /** Lost, released later, or of a lock that is not ours. */
  private static @Nullable Void notGivenBack(Throwable failure) {
    LOG.log(Level.DEBUG, "one of several locks was not given back", failure);
    return null;
  }
}
