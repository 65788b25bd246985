package dev.leasehold.redis.common;

import dev.leasehold.lock.LockConfigurationException;
import java.util.List;
import java.util.function.Supplier;

/** What to do about a server that may evict keys: {@link RedisSettings#ALLOW_EVICTION}. */
public enum Eviction {
  /** It is refused. */
  REFUSED,
  /** It is used, and not asked. */
  ALLOWED;

  /**
   * Looks at the server, if that matters.
   *
   * @param infos asks each node that holds keys for {@code INFO memory}; may throw
   * @throws LockConfigurationException if it is refused
   */
  public void check(Supplier<List<String>> infos) {
    if (this == REFUSED) {
      EvictionCheck.check(infos);
    }
  }
}
