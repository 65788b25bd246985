package dev.leasehold.testkit;

import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Assertions for rules. They throw {@link AssertionError} with the observed values. */
public final class Check {

  /** An action that may throw. */
  @FunctionalInterface
  public interface Action {
    /** Runs the action. */
    void run() throws Exception;
  }

  private Check() {}

  /** Fails unless a condition holds. The claim is a clause such as "the lock is free". */
  public static void that(boolean holds, String claim) {
    if (!holds) {
      throw new AssertionError("it is not so that " + claim);
    }
  }

  /**
   * As {@link #that}, for a claim that no pause of the machine may break: a {@linkplain
   * Rule#timed() timed} case that fails here is not run again.
   */
  public static void safe(boolean holds, String claim) {
    if (!holds) {
      throw new SafetyViolation("it is not so that " + claim);
    }
  }

  /**
   * Fails if another owner acquired a lock that was held. If the holder still has the lock then, no
   * pause excuses it, as in {@link #safe}.
   *
   * @param holds whether the holder has the lock, evaluated after the other acquisition
   */
  public static void refused(boolean refused, BooleanSupplier holds, String claim) {
    safe(refused || !holds.getAsBoolean(), claim + "; the holder has it, too");
    that(refused, claim);
  }

  /** Fails if two values differ. */
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

  /** Fails unless the action throws this type; returns the exception. */
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
