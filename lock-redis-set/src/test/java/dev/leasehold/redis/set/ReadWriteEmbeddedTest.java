package dev.leasehold.redis.set;

/** Read/write locks on the embedded server. */
class ReadWriteEmbeddedTest extends ReadWriteContract {
  @Override
  ServerKind kind() {
    return ServerKind.EMBEDDED;
  }
}
