package dev.leasehold.redis.set;

/** Read/write locks on Redis. */
class ReadWriteRedisTest extends ReadWriteContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS;
  }
}
