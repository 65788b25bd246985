package dev.leasehold.redis.set;

import java.util.Optional;

/** Plain mode by Valkey's own commands. */
class PlainValkeyTest extends PlainContract {
  @Override
  ServerKind kind() {
    return ServerKind.VALKEY;
  }

  @Override
  Optional<String> compareAndDelete() {
    return Optional.of("delifeq");
  }
}
