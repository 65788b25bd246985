package dev.leasehold.redis.set;

/** Several names in one step on Valkey. */
class TogetherValkeyTest extends TogetherContract {
  @Override
  ServerKind kind() {
    return ServerKind.VALKEY;
  }
}
