package dev.leasehold.simulation;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Silences the stores' logs while worlds run: thousands of worlds have many slow or missing nodes.
 * Restores the level afterwards, since other tests in this JVM check logs. Counts nested uses,
 * since worlds run on several threads.
 */
public final class Quiet {
  /** A strong reference: a collected logger would lose its level. */
  private static final Logger LOGGER = Logger.getLogger("dev.leasehold");

  private static final Object MUTEX = new Object();
  private static int open;
  private static @Nullable Level before;

  private Quiet() {}

  /** Runs the work silently; returns its result. */
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
