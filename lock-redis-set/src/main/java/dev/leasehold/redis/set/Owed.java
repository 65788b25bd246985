package dev.leasehold.redis.set;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many answers one connection owes to calls that were given up. Redis answers in order, so the
 * client keeps each call until its answer is there, whether or not anybody waits for it: a server
 * that hangs would fill the heap. Thread-safe.
 */
final class Owed {
  /** Some seconds of a busy process, and a few megabytes. */
  static final int MOST = 1000;

  private final AtomicInteger answers = new AtomicInteger();
  private volatile boolean broken;

  /** A call was given up that was written, and not answered. */
  void more() {
    answers.incrementAndGet();
  }

  /** It was answered. */
  void less() {
    answers.decrementAndGet();
  }

  /**
   * The connection broke: what the server has not read yet it may read after what comes by another.
   */
  void broke() {
    broken = true;
  }

  boolean isBroken() {
    return broken;
  }

  /** Whether nothing more should be sent before the server answers. */
  boolean areTooMany() {
    return answers.get() >= MOST;
  }
}
