package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.LeaseKey;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Acquisitions by a script that may still reach the server: under way, or given up without an
 * answer. A release may overtake one, since it uses another connection, or the connection broke and
 * was made again. Such a release first notes on the server that the token is void. Thread-safe.
 */
public final class LateAcquisitions {
  /** Beyond these some are forgotten: their tokens were given up in vain, or long ago. */
  private static final int MOST = 10_000;

  private final ConcurrentHashMap<LeaseKey, Integer> counts = new ConcurrentHashMap<>();

  /** None so far. */
  public LateAcquisitions() {}

  /** Before an acquisition looks for a connection; or once it is known that it has no answer. */
  public void begin(LeaseKey key) {
    if (counts.merge(key, 1, Integer::sum) == 1 && counts.size() > MOST) {
      for (LeaseKey other : counts.keySet()) {
        if (!other.equals(key)) {
          counts.remove(other);
          return;
        }
      }
    }
  }

  /** After an acquisition that was answered, or never sent. One without an answer does not end. */
  public void end(LeaseKey key) {
    counts.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
  }

  /** Before a release: whether one may come after it. */
  public boolean mayCome(LeaseKey key) {
    return !counts.isEmpty() && counts.containsKey(key);
  }

  /** After word was left on the server. */
  public void settled(LeaseKey key) {
    counts.remove(key);
  }
}
