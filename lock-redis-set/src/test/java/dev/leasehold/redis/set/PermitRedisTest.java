package dev.leasehold.redis.set;

/** Semaphores on Redis. */
class PermitRedisTest extends PermitContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS;
  }
}
