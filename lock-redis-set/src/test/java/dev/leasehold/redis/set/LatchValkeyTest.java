package dev.leasehold.redis.set;

/** Latches on Valkey. */
class LatchValkeyTest extends LatchContract {
  @Override
  ServerKind kind() {
    return ServerKind.VALKEY;
  }
}
