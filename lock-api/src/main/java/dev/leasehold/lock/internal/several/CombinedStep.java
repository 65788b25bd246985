package dev.leasehold.lock.internal.several;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Acquires several things of an {@link AllAsync} by one request. */
public interface CombinedStep<T> {
  /**
   * Acquires the things at these places, beside those acquired already.
   *
   * @return completes when nothing is in flight; if refused or failed, none is held. Cancellation
   *     gives up: what is granted all the same is released
   */
  CompletableFuture<Round<T>> take(List<Integer> places, List<T> taken);

  /**
   * The result of a step.
   *
   * @param taken all, in the order of their places; or none
   * @param refused the place that another holds, if there is one
   * @param inDoubt whether that may be an unsettled token of this process rather than another
   *     holder
   */
  public record Round<T>(List<T> taken, int refused, boolean inDoubt) {
    public static final int NONE = -1;

    public static <T> Round<T> of(List<T> taken) {
      return new Round<>(taken, NONE, false);
    }
  }
}
