package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.LeaseKey;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Acquisitions by a script that may still reach the server: in flight, or given up without a reply.
 * A release may overtake one, if it uses another connection or the connection was re-established.
 * Such a release first marks the token as released on the server. Thread-safe.
 */
public final class LateAcquisitions {
  /**
   * The limit, above which some are dropped: most tokens were released long ago, or hold nothing.
   */
  private static final int MOST = 10_000;

  private final ConcurrentHashMap<LeaseKey, Integer> counts = new ConcurrentHashMap<>();

  /** None so far. */
  public LateAcquisitions() {}

  /** To be called before an acquisition gets a connection, or once it is known to have no reply. */
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

  /**
   * To be called after an acquisition that was answered or never sent; not after one without a
   * reply.
   */
  public void end(LeaseKey key) {
    counts.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
  }

  /** To be called before a release: whether an acquisition may arrive after it. */
  public boolean mayCome(LeaseKey key) {
    return !counts.isEmpty() && counts.containsKey(key);
  }

  /** The same for several: those of which one may. */
  public List<LeaseKey> of(List<LeaseKey> keys) {
    return counts.isEmpty() ? List.of() : keys.stream().filter(counts::containsKey).toList();
  }

  /** To be called after the token was marked on the server. */
  public void settled(LeaseKey key) {
    counts.remove(key);
  }
}
