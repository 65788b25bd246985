package dev.leasehold.redis.set;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many answers a connection is owed for calls that were given up. Redis answers in order, so
 * the client keeps each call until its answer arrives, even if it was given up: a server that hangs
 * would fill the heap. Thread-safe.
 */
final class AbandonedReplies {
  /** Some seconds of a busy process, and a few megabytes. */
  static final int MOST = 1000;

  private final String address;
  private final Silence silence;
  private final AtomicInteger answers = new AtomicInteger();
  private volatile boolean broken;

  /** When a call was given up, if nothing was received since; zero otherwise. */
  private final AtomicLong silentSince = new AtomicLong();

  /**
   * Of a connection to the server at this address.
   *
   * @param address for messages; may be empty
   */
  AbandonedReplies(String address, Silence silence) {
    this.address = address;
    this.silence = silence;
  }

  String address() {
    return address;
  }

  /** A call that was written, but not answered, has been given up. */
  void more() {
    // Not if the answer has come between the giving up and this.
    if (answers.incrementAndGet() > 0 && silentSince.get() == 0) {
      silentSince.set(System.nanoTime() | 1); // never zero
    }
  }

  /** A reply was received, to any call. */
  void heard() {
    if (silentSince.get() != 0) {
      silentSince.set(0);
    }
  }

  /** Whether the server has been silent for too long; says so once. */
  boolean isSilent() {
    long since = silentSince.get();
    return since != 0
        && answers.get() > 0
        && silence.isTooLong(since)
        && silentSince.compareAndSet(since, 0);
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
