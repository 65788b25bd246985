package dev.leasehold.redis.setnx;

import dev.leasehold.lock.spi.LeaseKey;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Acquisitions by a script that may still reach the server: under way, or given up without an
 * answer. Each goes by a connection of its own, so a release may overtake one: it has to be told,
 * so that it leaves word on the server. (One connection for all would keep their order.)
 * Thread-safe.
 */
final class LateAcquisitions {
  private final ConcurrentHashMap<LeaseKey, Integer> counts = new ConcurrentHashMap<>();

  /** Before an acquisition looks for a connection. */
  void begin(LeaseKey key) {
    counts.merge(key, 1, Integer::sum);
  }

  /** After an acquisition that was answered, or never sent. One without an answer does not end. */
  void end(LeaseKey key) {
    counts.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
  }

  /** Before a release: whether one may come after it. */
  boolean mayCome(LeaseKey key) {
    return counts.containsKey(key);
  }

  /** After a release that left word. */
  void settled(LeaseKey key) {
    counts.remove(key);
  }
}
