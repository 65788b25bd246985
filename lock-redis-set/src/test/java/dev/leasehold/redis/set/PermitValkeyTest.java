package dev.leasehold.redis.set;

/** Semaphores on Valkey. */
class PermitValkeyTest extends PermitContract {
  @Override
  ServerKind kind() {
    return ServerKind.VALKEY;
  }
}
