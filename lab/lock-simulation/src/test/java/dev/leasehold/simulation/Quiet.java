package dev.leasehold.simulation;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * While a world runs, stores log nothing: thousands of worlds have many nodes that are slow or
 * gone. Then loggers are as they were: other tests of this JVM look at what is logged. Counted,
 * since worlds run on several threads.
 */
public final class Quiet {
  /** Held, so that it is not collected with its level. */
  private static final Logger LOGGER = Logger.getLogger("dev.leasehold");

  private static final Object MUTEX = new Object();
  private static int open;
  private static @Nullable Level before;

  private Quiet() {}

  /** What this gives. */
  public static <T> T during(Supplier<T> work) {
    synchronized (MUTEX) {
      if (open++ == 0) {
        before = LOGGER.getLevel();
        LOGGER.setLevel(Level.OFF);
      }
    }
    try {
      return work.get();
    } finally {
      synchronized (MUTEX) {
        if (--open == 0) {
          LOGGER.setLevel(before);
        }
      }
    }
  }
}
