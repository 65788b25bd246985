package dev.leasehold.redis.set;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * When a server that does not answer is left, and what else leaves it then. One for all connections
 * of a store. Thread-safe.
 */
final class Silence {
  /**
   * How long nothing may be received after a call was given up, or for the command time-out if that
   * is longer. A server that works seldom stops for so long. A failover takes longer, and only a
   * new connection finds the new primary.
   */
  static final Duration LONGEST = Duration.ofSeconds(5);

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile long longest = LONGEST.toNanos();

  /** Calls may take so long. */
  void waitFor(Duration commandTimeout) {
    longest = Math.max(LONGEST.toNanos(), commandTimeout.toNanos());
  }

  /** Whether nothing was received for too long since this time, by {@link System#nanoTime}. */
  boolean isTooLong(long since) {
    return System.nanoTime() - since > longest;
  }

  /** Sets a listener, which must not block, for when a connection is broken off. */
  void onBreak(Runnable listener) {
    listeners.add(listener);
  }

  /** A connection is broken off. */
  void broken() {
    listeners.forEach(Runnable::run);
  }
}
