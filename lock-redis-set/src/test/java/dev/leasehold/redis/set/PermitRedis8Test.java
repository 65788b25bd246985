package dev.leasehold.redis.set;

/** Semaphores on Redis 8. */
class PermitRedis8Test extends PermitContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS_8;
  }
}
