package dev.leasehold.lock.internal.several;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Takes several things of an {@link AllAsync} by one question. */
public interface CombinedStep<T> {
  /**
   * Those at these places, beside those that are taken already.
   *
   * @return completes when nothing is under way; if it is refused or fails, none is held. A
   *     cancellation gives up: what is granted all the same goes back
   */
  CompletableFuture<Round<T>> take(List<Integer> places, List<T> taken);

  /**
   * What a step ends with.
   *
   * @param taken all, in the order of their places; or nothing
   * @param refused which of the places another has, if one has
   * @param inDoubt whether that may be a leftover of this process, in place of another's
   */
  public record Round<T>(List<T> taken, int refused, boolean inDoubt) {
    public static final int NONE = -1;

    public static <T> Round<T> of(List<T> taken) {
      return new Round<>(taken, NONE, false);
    }
  }
}
