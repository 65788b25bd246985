package dev.leasehold.redis.set;

/** Read/write locks on Valkey. */
class ReadWriteValkeyTest extends ReadWriteContract {
  @Override
  ServerKind kind() {
    return ServerKind.VALKEY;
  }
}
