package dev.leasehold.redis.set;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many answers a connection is owed for calls that were given up. Redis answers in order, so
 * the client keeps each call until its answer arrives, even if it was given up: a server that hangs
 * would fill the heap. Thread-safe.
 */
final class AbandonedReplies {
  /** Some seconds of a busy process, and a few megabytes. */
  static final int MOST = 1000;

  /**
   * How long after a call was given up nothing may be received. Longer than a server that works
   * stops for; shorter than a failover takes, which is followed by a new connection only.
   */
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

  private final String address;
  private final AtomicInteger answers = new AtomicInteger();
  private volatile boolean broken;

  /** When a call was given up, if nothing was received since; zero otherwise. */
  private volatile long silentSince;

  /** Of a connection to the server at this address, which messages name; may be empty. */
  AbandonedReplies(String address) {
    this.address = address;
  }

  String address() {
    return address;
  }

  /** A call that was written, but not answered, has been given up. */
  void more() {
    answers.incrementAndGet();
    if (silentSince == 0) {
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
    return since != 0 && System.nanoTime() - since > LONGEST_SILENCE.toNanos();
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
