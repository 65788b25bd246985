package dev.leasehold.redis.set;

import java.util.Optional;

/** Plain mode by Redis' own commands, from 8.4 on. */
class PlainRedis8Test extends PlainContract {
  @Override
  ServerKind kind() {
    return ServerKind.REDIS_8;
  }

  @Override
  Optional<String> compareAndDelete() {
    return Optional.of("delex");
  }
}
