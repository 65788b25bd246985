package dev.leasehold.redis.set;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.KeySpace;

/** The options common to both modes. */
record StoreOptions(Eviction eviction, RequiredReplicas replicas, KeySpace keys) {

  /** Without a key prefix. */
  StoreOptions(Eviction eviction, RequiredReplicas replicas) {
    this(eviction, replicas, KeySpace.WHOLE);
  }

  /**
   * Refuses unusable options before the first lock, and names the connections.
   *
   * @throws LockConfigurationException naming the option and the reason
   */
  void start(LettuceRedis redis, StoreContext context) {
    if (replicas.atLeast() > 0 && replicas.within().compareTo(context.commandTimeout()) >= 0) {
      throw new LockConfigurationException(
          RedisSetSettings.WAIT_TIMEOUT.key()
              + " = "
              + Setting.written(replicas.within())
              + " is not less than lock.command-timeout = "
              + Setting.written(context.commandTimeout())
              + ": replicas would never have all of their time");
    }
    redis.name(context.label());
    redis.silence().waitFor(context.commandTimeout());
    eviction.check(() -> redis.info("memory"));
  }
}
