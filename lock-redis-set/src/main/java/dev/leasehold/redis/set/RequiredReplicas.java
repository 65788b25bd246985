package dev.leasehold.redis.set;

import java.time.Duration;

/**
 * How many replicas must have a write before it counts, and how long they have to acknowledge it.
 *
 * @param atLeast 0 for none
 * @param within whole milliseconds
 */
record RequiredReplicas(int atLeast, Duration within) {
  static final RequiredReplicas NONE = new RequiredReplicas(0, Duration.ofMillis(1));
}
