package dev.leasehold.redis.set;

/** A cluster of redis-server 7. */
class ClusterRedisTest extends ClusterContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS;
  }

  @Override
  boolean isSharded() {
    return true;
  }
}
