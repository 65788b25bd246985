package dev.leasehold.redis.set;

import java.util.Optional;

/** Plain mode by scripts, on the embedded server. */
class PlainEmbeddedTest extends PlainContract {
  @Override
  ServerKind kind() {
    return ServerKind.EMBEDDED;
  }

  @Override
  Optional<String> compareAndDelete() {
    return Optional.empty();
  }
}
