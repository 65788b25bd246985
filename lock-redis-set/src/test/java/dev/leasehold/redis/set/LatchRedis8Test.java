package dev.leasehold.redis.set;

/** Latches on Redis 8. */
class LatchRedis8Test extends LatchContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS_8;
  }
}
