package dev.leasehold.redis.set;

/** The contract on the embedded server. */
class FencedEmbeddedTest extends FencedContract {
  @Override
  ServerKind kind() {
    return ServerKind.EMBEDDED;
  }
}
