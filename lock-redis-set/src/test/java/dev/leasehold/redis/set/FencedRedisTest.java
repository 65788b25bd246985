package dev.leasehold.redis.set;

/** The contract on the path's redis-server. */
class FencedRedisTest extends FencedContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS;
  }
}
