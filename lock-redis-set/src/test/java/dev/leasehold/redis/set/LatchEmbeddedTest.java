package dev.leasehold.redis.set;

/** Latches on the embedded server. */
class LatchEmbeddedTest extends LatchContract {
  @Override
  ServerKind kind() {
    return ServerKind.EMBEDDED;
  }
}
