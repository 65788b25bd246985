package dev.leasehold.redis.set;

/** Several names in one step on Redis 8. */
class TogetherRedis8Test extends TogetherContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS_8;
  }
}
