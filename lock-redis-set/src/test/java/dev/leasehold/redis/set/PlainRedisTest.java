package dev.leasehold.redis.set;

import java.util.Optional;

/** Plain mode by scripts, on redis-server. */
class PlainRedisTest extends PlainContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS;
  }

  @Override
  Optional<String> compareAndDelete() {
    return Optional.empty();
  }
}
