package dev.leasehold.redis.set;

/** Several names in one step on the embedded server. */
class TogetherEmbeddedTest extends TogetherContract {
  @Override
  ServerKind kind() {
    return ServerKind.EMBEDDED;
  }
}
