package dev.leasehold.redis.setnx;

import dev.leasehold.redis.common.Publishing;
import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.util.Pool;

/** A Redis with one node that has all keys, and a pool of connections to it. */
abstract class PooledRedis extends Redis {
  private final Runnable onClose;

  /**
   * On a client.
   *
   * @param onClose closes it if it is ours
   */
  PooledRedis(Runnable onClose) {
    this.onClose = onClose;
  }

  /** The pool of connections to where the keys are now. */
  abstract Pool<Connection> pool();

  @Override
  final Connection borrow(byte[] key) {
    return pool().getResource();
  }

  @Override
  final Connection borrowForMessages() {
    return pool().getResource();
  }

  @Override
  final byte[] counts() {
    return Publishing.COUNTS_ALL;
  }

  @Override
  final boolean takesManyKeys() {
    return true;
  }

  @Override
  final List<String> memories() {
    try (Connection connection = borrowForMessages()) {
      return List.of(info(connection, "memory"));
    }
  }

  @Override
  final void dropIdle() {
    pool().clear();
  }

  @Override
  public final void close() {
    onClose.run();
  }
}
