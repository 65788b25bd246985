package dev.leasehold.redis.set;

/** Semaphores on the embedded server. */
class PermitEmbeddedTest extends PermitContract {
  @Override
  ServerKind kind() {
    return ServerKind.EMBEDDED;
  }
}
