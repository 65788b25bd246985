package dev.leasehold.redis.set;

import java.time.Duration;

/**
 * How many replicas must have a write before it counts, and how long they have.
 *
 * @param atLeast 0: none is asked for
 * @param within whole milliseconds
 */
record Replicas(int atLeast, Duration within) {
  static final Replicas NONE = new Replicas(0, Duration.ofMillis(1));
}
