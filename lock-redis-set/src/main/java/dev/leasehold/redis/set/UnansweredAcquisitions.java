package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.LeaseKey;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Acquisitions that ended without an answer, with their connections, until the token is released.
 * Thread-safe.
 */
final class UnansweredAcquisitions {
  /**
   * The limit, above which some are dropped: most tokens were released long ago, or hold nothing.
   */
  private static final int MOST = 10_000;

  private final ConcurrentHashMap<LeaseKey, AbandonedReplies> connections =
      new ConcurrentHashMap<>();

  void add(LeaseKey key, AbandonedReplies by) {
    connections.merge(key, by, (before, now) -> before.isBroken() ? before : now);
    if (connections.size() > MOST) {
      connections.keySet().stream()
          .filter(other -> !other.equals(key))
          .findFirst()
          .ifPresent(connections::remove);
    }
  }

  boolean knowsNone(Collection<LeaseKey> keys) {
    return connections.isEmpty() || keys.stream().noneMatch(connections::containsKey);
  }

  /** Whether an acquisition may arrive after what is sent now, since it used another connection. */
  boolean mayCome(LeaseKey key) {
    AbandonedReplies by = connections.get(key);
    return by != null && by.isBroken();
  }

  /** No acquisition can arrive any more, or it would have no effect. */
  void settled(LeaseKey key) {
    connections.remove(key);
  }
}
