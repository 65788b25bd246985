package dev.leasehold.redis.set;

/** Several names in one step on Redis. */
class TogetherRedisTest extends TogetherContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS;
  }
}
