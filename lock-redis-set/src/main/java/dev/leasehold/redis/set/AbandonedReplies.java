package dev.leasehold.redis.set;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many answers a connection is owed for calls that were given up. Redis answers in order, so
 * the client keeps each call until its answer arrives, even if it was given up: a server that hangs
 * would fill the heap. Thread-safe.
 */
final class AbandonedReplies {
  /** Some seconds of a busy process, and a few megabytes. */
  static final int MOST = 1000;

  private final String address;
  private final AtomicInteger answers = new AtomicInteger();
  private volatile boolean broken;

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
