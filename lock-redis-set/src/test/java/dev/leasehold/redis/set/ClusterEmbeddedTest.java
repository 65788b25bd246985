package dev.leasehold.redis.set;

/** A cluster of the embedded server, whose pub/sub is not sharded. */
class ClusterEmbeddedTest extends ClusterContract {
  @Override
  ServerKind kind() {
    return ServerKind.EMBEDDED;
  }

  @Override
  boolean isSharded() {
    return false;
  }
}
