package dev.leasehold.redis.set;

/** The contract on the newest Redis. */
class FencedRedis8Test extends FencedContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS_8;
  }
}
