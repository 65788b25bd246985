package dev.leasehold.redis.common;

import dev.leasehold.lock.LockConfigurationException;
import java.util.List;
import java.util.function.Supplier;

/** Whether to accept a server that may evict keys: {@link RedisSettings#ALLOW_EVICTION}. */
public enum Eviction {
  /** Refuse it. */
  REFUSED,
  /** Accept it without checking. */
  ALLOWED;

  /**
   * Checks the server, unless eviction is allowed.
   *
   * @param infos requests {@code INFO memory} from each node that holds keys; may throw
   * @throws LockConfigurationException if the server is refused
   */
  public void check(Supplier<List<String>> infos) {
    if (this == REFUSED) {
      EvictionCheck.check(infos);
    }
  }
}
