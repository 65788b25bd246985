package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.LeaseKey;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Acquisitions that ended without an answer, by the connection that each went by, until their token
 * is released. Thread-safe.
 */
final class UnansweredAcquisitions {
  /** Beyond these some are forgotten: their tokens were given up in vain, or long ago. */
  private static final int MOST = 10_000;

  private final ConcurrentHashMap<LeaseKey, Owed> connections = new ConcurrentHashMap<>();

  void add(LeaseKey key, Owed by) {
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

  /** Whether one may come after what is sent now, since its connection is another. */
  boolean mayCome(LeaseKey key) {
    Owed by = connections.get(key);
    return by != null && by.isBroken();
  }

  /** None comes any more, or it does nothing. */
  void settled(LeaseKey key) {
    connections.remove(key);
  }
}
