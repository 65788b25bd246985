package dev.leasehold.redlock;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.RecordedHold;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Checks minimum holds: no owner has a lock before the previous holder's minimum is over, whether
 * that one released, died or lost it. The minimum counts from before the request, which is the
 * weakest bound.
 */
public final class MinimumCheck {
  private static final long SEED = 0x5eedL;

  private MinimumCheck() {}

  /**
   * Adds a minimum of up to this long to the options of every third world; the world's own random
   * draws are unchanged.
   */
  public static LockOptions.Builder some(LockOptions.Builder options, long seed, Duration most) {
    SplittableRandom random = new SplittableRandom(seed ^ SEED);
    return random.nextInt(3) == 0
        ? options.atLeast(Duration.ofMillis(1 + random.nextLong(most.toMillis())))
        : options;
  }

  /** The violations; empty if there are none. */
  public static List<String> broken(History history, Duration atLeast) {
    List<RecordedHold> holds = HistoryChecker.holds(history);
    return holds.stream()
        .flatMap(
            first ->
                holds.stream()
                    .filter(later -> isTooSoon(first, later, atLeast))
                    .map(later -> words(first, later, atLeast)))
        .toList();
  }

  private static boolean isTooSoon(RecordedHold first, RecordedHold later, Duration atLeast) {
    return first.lock().equals(later.lock())
        && isLater(first, later)
        && later.start() - first.invoked() < atLeast.toNanos();
  }

  /** By tokens; without tokens, by the time of the grants. */
  private static boolean isLater(RecordedHold first, RecordedHold later) {
    boolean haveTokens = first.token().isPresent() && later.token().isPresent();
    return haveTokens
        ? first.token().getAsLong() < later.token().getAsLong()
        : first.start() < later.start();
  }

  private static String words(RecordedHold first, RecordedHold later, Duration atLeast) {
    return "%s/%s had '%s' %d ms after %s/%s asked for it, with a minimum of %d ms"
        .formatted(
            later.process(),
            later.owner(),
            later.lock(),
            (later.start() - first.invoked()) / 1_000_000,
            first.process(),
            first.owner(),
            atLeast.toMillis());
  }
}
