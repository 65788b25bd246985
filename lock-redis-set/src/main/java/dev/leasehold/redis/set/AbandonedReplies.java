package dev.leasehold.redis.set;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * How many answers a connection is owed for calls that were given up. Redis answers in order, so
 * the client keeps each call until its answer arrives, even if it was given up: a server that hangs
 * would fill the heap. Thread-safe.
 */
final class AbandonedReplies {
  /** Some seconds of a busy process, and a few megabytes. */
  static final int MOST = 1000;

  /**
   * How long nothing may be received after a call was given up, or for the command time-out if that
   * is longer. A server that works seldom stops for so long. A failover takes longer, and only a
   * new connection finds the new primary.
   */
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

  private final String address;
  private final LongSupplier longestSilence;
  private final AtomicInteger answers = new AtomicInteger();
  private volatile boolean broken;

  /** When a call was given up, if nothing was received since; zero otherwise. */
  private volatile long silentSince;

  /**
   * Of a connection to the server at this address.
   *
   * @param address for messages; may be empty
   * @param longestSilence in nanoseconds
   */
  AbandonedReplies(String address, LongSupplier longestSilence) {
    this.address = address;
    this.longestSilence = longestSilence;
  }

  /** The longest silence of connections whose calls may take so long. */
  static long longestSilence(Duration commandTimeout) {
    return Math.max(LONGEST_SILENCE.toNanos(), commandTimeout.toNanos());
  }

  String address() {
    return address;
  }

  /** A call that was written, but not answered, has been given up. */
  void more() {
    // Not if the answer has come between the giving up and this.
    if (answers.incrementAndGet() > 0 && silentSince == 0) {
      silentSince = System.nanoTime() | 1; // never zero
    }
  }

  /** A reply was received, to any call. */
  void heard() {
    if (silentSince != 0) {
      silentSince = 0;
    }
  }

  /** Whether the server has been silent for so long that it should be connected to anew. */
  boolean isSilent() {
    long since = silentSince;
    return since != 0
        && answers.get() > 0
        && System.nanoTime() - since > longestSilence.getAsLong();
  }

  /** Such a call has been answered. */
  void less() {
    answers.decrementAndGet();
  }

  /**
   * The connection broke: the server may read what is still in flight on it after commands on the
   * next.
   */
  void broke() {
    broken = true;
  }

  boolean isBroken() {
    return broken;
  }

  /** Whether nothing more should be sent until the server answers. */
  boolean areTooMany() {
    return answers.get() >= MOST;
  }
}
