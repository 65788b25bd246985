package dev.leasehold.redis.set;

/** The contract on Valkey 9. */
class FencedValkeyTest extends FencedContract {
  @Override
  ServerKind kind() {
    return ServerKind.VALKEY;
  }
}
