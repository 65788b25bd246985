package dev.leasehold.redis.set;

/** Latches on Redis. */
class LatchRedisTest extends LatchContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS;
  }
}
