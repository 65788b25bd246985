package dev.leasehold.testkit;

import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Assertions of rules. They throw {@link AssertionError} with what was seen. */
public final class Check {

  /** Something that may throw. */
  @FunctionalInterface
  public interface Action {
    /** Does it. */
    void run() throws Exception;
  }

  private Check() {}

  /** Fails with what should have been so: a clause, as "the lock is free". */
  public static void that(boolean holds, String claim) {
    if (!holds) {
      throw new AssertionError("it is not so that " + claim);
    }
  }

  /**
   * Fails with what should have been so on every machine: no pause may break it, so that a case
   * about time does not run anew, as {@link Rule#timed()} has it.
   */
  public static void safe(boolean holds, String claim) {
    if (!holds) {
      throw new SafetyViolation("it is not so that " + claim);
    }
  }

  /**
   * Fails if somebody was let in beside a holder; on every machine if it still has the lock then.
   *
   * @param holds whether the holder has it, asked after the other was let in
   */
  public static void refused(boolean refused, BooleanSupplier holds, String claim) {
    safe(refused || !holds.getAsBoolean(), claim + "; the holder has it, too");
    that(refused, claim);
  }

  /** Fails if two things differ. */
  public static void equal(Object expected, Object actual, String what) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(what + " should be " + expected + ", and is " + actual);
    }
  }

  /** Fails if {@code actual} is longer. */
  public static void atMost(Duration limit, Duration actual, String what) {
    if (actual.compareTo(limit) > 0) {
      throw new AssertionError(
          what + " should be at most " + written(limit) + ", and is " + written(actual));
    }
  }

  /** Fails if {@code actual} is more. */
  public static void atMost(long limit, long actual, String what) {
    if (actual > limit) {
      throw new AssertionError(what + " should be at most " + limit + ", and is " + actual);
    }
  }

  /** Fails if {@code actual} is shorter. */
  public static void atLeast(Duration limit, Duration actual, String what) {
    if (actual.compareTo(limit) < 0) {
      throw new AssertionError(
          what + " should be at least " + written(limit) + ", and is " + written(actual));
    }
  }

  private static String written(Duration duration) {
    return Setting.written(duration);
  }

  /** Fails unless the action throws that; returns what it threw. */
  public static <E extends Throwable> E fails(Class<E> type, String what, Action action) {
    try {
      action.run();
    } catch (Exception e) {
      if (type.isInstance(e)) {
        return type.cast(e);
      }
      throw new AssertionError(
          what + " should throw " + type.getSimpleName() + ", and threw " + e, e);
    }
    throw new AssertionError(what + " should throw " + type.getSimpleName() + ", and did not");
  }
}
