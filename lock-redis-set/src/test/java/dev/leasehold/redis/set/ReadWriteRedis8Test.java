package dev.leasehold.redis.set;

/** Read/write locks on Redis 8. */
class ReadWriteRedis8Test extends ReadWriteContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS_8;
  }
}
